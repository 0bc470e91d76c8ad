import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { CodeView } from '../../../kit/code-view.js';
import { CopyButton } from '../../../kit/copy-button.js';
import { Empty } from '../../../kit/empty.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { sizeText } from '../../../kit/size-text.js';
import { type VersionFile, versionFileOptions } from '../coming.js';
import { useScript } from '../script-context.js';
import { MOST_BYTES, textOf } from './text-of.js';

export function VersionFileText({ number, file }: { number: number; file: VersionFile }) {
  const { path, kind, size, executable } = file;
  const { slug } = useScript();
  const readable = kind === 'file' && size <= MOST_BYTES;
  const { data, error } = useQuery({ ...versionFileOptions(slug, number, path), enabled: readable });
  const text = data && textOf(data);
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
      {readable && !data && (error ? <ProblemNotice error={error} /> : <Skeleton height={240} />)}
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
