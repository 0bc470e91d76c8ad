import { Group, Stack, Text } from '@mantine/core';

import { MAX_TEXT_BYTES, textOf } from '../../../kit/archive/text-of.js';
import type { VersionFile } from '../../../kit/archive/version-files.js';
import { CodeView } from '../../../kit/code-view.js';
import { CopyButton } from '../../../kit/copy-button.js';
import { Empty } from '../../../kit/empty.js';
import { sizeText } from '../../../kit/size-text.js';

export function VersionFileText({ file }: { file: VersionFile }) {
  const { path, kind, size, executable, content } = file;
  const readable = kind === 'file' && size <= MAX_TEXT_BYTES;
  const text = readable ? textOf(content) : undefined;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="user-text">
          <b>{path}</b>{' '}
          <Text span size="sm" c="dimmed">
            {sizeText(size)}
            {executable && ', executable'}
          </Text>
        </Text>
        {text && <CopyButton value={text} label="Copy" />}
      </Group>
      {!readable && <Unreadable file={file} />}
      {text === null && <Empty title="This is not text">Download the version to open it.</Empty>}
      {text === '' && <Empty title="The file is empty" />}
      {text && <CodeView text={text} path={path} maxHeight="40rem" />}
    </Stack>
  );
}

function Unreadable({ file: { kind } }: { file: VersionFile }) {
  if (kind === 'file') {
    return <Empty title="Too large to be shown">Download the version to open files over 1 MB.</Empty>;
  }
  return <Empty title="A link to another file" />;
}
