import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import IconDownload from 'icon:download';
import IconFile from 'icon:file';
import { useState } from 'react';

import { notifyProblem } from './notify.js';
import { type ShownFile, baseName, download } from './run-output/file-content.js';
import { fileKind } from './run-output/file-kind.js';
import { FilePreview, MOST_PREVIEWED } from './run-output/file-preview.js';
import { sizeText } from './size-text.js';

/** The files of a run: shown in the page where that can be done, or downloaded. */
export function RunFiles({ files, open }: { files: readonly ShownFile[]; open?: boolean }) {
  return (
    <Stack gap="sm">
      {files.map((file) => (
        <FileEntry key={file.id} file={file} startsOpen={(open ?? false) && fileKind(file) === 'picture'} />
      ))}
    </Stack>
  );
}

function FileEntry({ file, startsOpen }: { file: ShownFile; startsOpen: boolean }) {
  const canShow = fileKind(file) !== 'other' && file.size <= MOST_PREVIEWED;
  const [isOpen, setOpen] = useState(startsOpen && canShow);
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <IconFile size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" className="user-text" style={{ flex: 1 }}>
          {file.name}{' '}
          <Text span c="dimmed">
            {sizeText(file.size)}
          </Text>
        </Text>
        {canShow && (
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} ${file.name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        )}
        <DownloadButton file={file} />
      </Group>
      {isOpen && <FilePreview file={file} />}
    </Stack>
  );
}

function DownloadButton({ file }: { file: ShownFile }) {
  const label = `Download ${file.name}`;
  const icon = <IconDownload size={16} aria-hidden />;
  return (
    <Tooltip label="Download">
      {file.downloadUrl !== null ? (
        <ActionIcon
          variant="default"
          component="a"
          href={file.downloadUrl}
          download={baseName(file.name)}
          aria-label={label}
        >
          {icon}
        </ActionIcon>
      ) : (
        <ActionIcon
          variant="default"
          aria-label={label}
          onClick={() => void download(file).catch(notifyProblem)}
        >
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  );
}
