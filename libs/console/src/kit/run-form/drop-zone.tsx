import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import IconUpload from 'icon:upload';

import { ProblemNotice } from '../problem-notice.js';
import { sizeText } from '../size-text.js';
import type { Upload } from './use-uploads.js';

export interface DropZoneProps {
  /** What is wanted, for those who cannot see it. */
  label: string;
  multiple?: boolean;
  disabled?: boolean;
  inputId?: string;
  describedBy?: string;
  invalid?: boolean;
  onFiles: (files: File[]) => void;
}

/** Takes files by drag and drop, or from the file chooser. */
export function DropZone({
  label,
  multiple,
  disabled,
  inputId,
  describedBy,
  invalid,
  onFiles,
}: DropZoneProps) {
  return (
    <Dropzone
      onDrop={onFiles}
      multiple={multiple ?? false}
      disabled={disabled}
      p="sm"
      aria-label={label}
      aria-describedby={describedBy}
      style={invalid ? { borderColor: 'var(--mantine-color-error)' } : undefined}
      inputProps={{ id: inputId, 'aria-label': label }}
    >
      <Group gap="sm" justify="center" wrap="nowrap" style={{ pointerEvents: 'none' }}>
        <IconUpload size={20} aria-hidden />
        <Text size="sm">
          {multiple ? 'Drop files here, or choose them' : 'Drop a file here, or choose one'}
        </Text>
      </Group>
    </Dropzone>
  );
}

/** The files on their way, each with how far it has come. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  return uploads.map(({ key, name, size, share, problem, stop }) => (
    <Stack key={key} gap={4}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" className="user-text">
          {name} <Text span c="dimmed">{`${Math.floor(share * 100)} % of ${sizeText(size)}`}</Text>
        </Text>
        <Button size="compact-xs" variant="default" onClick={stop}>
          {problem === null ? 'Stop' : 'Dismiss'}
        </Button>
      </Group>
      {problem === null ? (
        <Progress value={share * 100} aria-label={`Upload of ${name}`} />
      ) : (
        <ProblemNotice error={problem} title={`${name} was not uploaded`} />
      )}
    </Stack>
  ));
}
