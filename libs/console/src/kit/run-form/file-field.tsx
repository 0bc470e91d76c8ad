import { filesGet } from '@gatehouse/client/operations';
import { CloseButton, Code, Group, Input, Stack, Text } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import IconFile from 'icon:file';
import { useEffect, useState } from 'react';

import { sizeText } from '../size-text.js';
import { DropZone, UploadList } from './drop-zone.js';
import { type FormContext, inputParts } from './field-parts.js';
import { useUploads } from './use-uploads.js';

interface KnownFile {
  name: string;
  size: number;
}

/** What is known of files by id, so that a form that is shown again need not ask again. */
const known = new Map<string, KnownFile>();

/** An input that takes a file: it is sent at once, and the input is its id. */
export function FileField(props: FieldProps<unknown>) {
  const { formData, onChange, fieldPathId } = props;
  const ids = typeof formData === 'string' ? [formData] : [];
  return <Files {...props} ids={ids} multiple={false} onIds={([id]) => onChange(id, fieldPathId.path)} />;
}

/** An input that takes a list of files. */
export function FileListField(props: FieldProps<unknown>) {
  const { formData, onChange, fieldPathId } = props;
  const ids = Array.isArray(formData) ? formData.map(String) : [];
  return <Files {...props} ids={ids} multiple onIds={(next) => onChange(next, fieldPathId.path)} />;
}

interface FilesProps extends FieldProps<unknown> {
  ids: string[];
  multiple: boolean;
  onIds: (ids: string[]) => void;
}

function Files(props: FilesProps) {
  const { ids, multiple, onIds, fieldPathId, registry } = props;
  const { label, description, required, disabled, error } = inputParts(props as FieldProps);
  const { uploads, start } = useUploads(({ id, name, size }) => {
    known.set(id, { name, size });
    onIds(multiple ? [...ids, id] : [id]);
  });
  const { block } = registry.formContext as FormContext;
  const isBusy = uploads.some(({ problem }) => problem === null);
  useEffect(() => {
    block(fieldPathId.$id, isBusy ? 'A file is still on its way.' : null);
    return () => block(fieldPathId.$id, null);
  }, [block, fieldPathId.$id, isBusy]);

  const inputId = `${fieldPathId.$id}_file`;
  return (
    <Input.Wrapper
      id={fieldPathId.$id}
      label={label}
      labelProps={{ htmlFor: inputId }}
      description={description}
      required={required}
      error={error}
    >
      <Stack gap="xs" mt={4}>
        {ids.map((id) => (
          <ChosenFile key={id} id={id} onRemove={() => onIds(ids.filter((other) => other !== id))} />
        ))}
        <UploadList uploads={uploads} />
        {(multiple || (ids.length === 0 && uploads.length === 0)) && (
          <DropZone
            label={`${label}: ${multiple ? 'choose files' : 'choose a file'}`}
            inputId={inputId}
            multiple={multiple}
            disabled={disabled}
            invalid={Boolean(error)}
            onFiles={start}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function ChosenFile({ id, onRemove }: { id: string; onRemove: () => void }) {
  const file = useKnownFile(id);
  return (
    <Group gap="xs" wrap="nowrap">
      <IconFile size={18} aria-hidden />
      <Text size="sm" className="user-text">
        {file ? (
          <>
            {file.name}{' '}
            <Text span c="dimmed">
              {sizeText(file.size)}
            </Text>
          </>
        ) : (
          <Code>{id}</Code>
        )}
      </Text>
      <CloseButton size="sm" aria-label={`Remove ${file?.name ?? id}`} onClick={onRemove} />
    </Group>
  );
}

function useKnownFile(id: string): KnownFile | undefined {
  const [file, setFile] = useState(known.get(id));
  useEffect(() => {
    if (known.has(id)) return setFile(known.get(id));
    let gone = false;
    filesGet({ path: { fileId: id } })
      .then(({ data: { name, size } }) => {
        known.set(id, { name, size });
        if (!gone) setFile({ name, size });
      })
      // The id alone is shown; whether it still fits is said when the run is started.
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [id]);
  return file;
}
