import { Accordion, Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';

import type { FileChange, VersionFile } from '../../../kit/archive/version-files.js';
import { CodeDifference } from '../../../kit/code-difference.js';
import { MOST_BYTES, textOf } from './text-of.js';

/** As many are open at first; more would be read only to be passed over. */
const OPEN_AT_FIRST = 3;

export function ChangedFiles({ changes }: { changes: FileChange[] }) {
  const [open, setOpen] = useState(() =>
    changes.length <= OPEN_AT_FIRST ? changes.map(({ path }) => path) : [],
  );
  return (
    <Accordion multiple value={open} onChange={setOpen} variant="contained" order={4}>
      {changes.map((change) => (
        <Accordion.Item key={change.path} value={change.path}>
          <Accordion.Control>
            <Group gap="xs">
              <Text size="sm" className="user-text">
                {change.path}
              </Text>
              <Badge variant="default" size="sm" tt="none" fw={500} radius="sm">
                {change.kind}
              </Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>{open.includes(change.path) && <Difference change={change} />}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Difference({ change: { path, before, after } }: { change: FileChange }) {
  if ([before, after].some((file) => file !== null && !isReadable(file))) {
    return <Text size="sm">It is a link or over 1 MB, so its text is not compared.</Text>;
  }
  const [old, now] = [before, after].map((file) => (file ? textOf(file.content) : ''));
  if (typeof old !== 'string' || typeof now !== 'string') {
    return <Text size="sm">It is not text, so only the fact that it differs is known.</Text>;
  }
  if (old === now) return <Text size="sm">Only whether it may be executed differs.</Text>;
  return <CodeDifference before={old} after={now} path={path} />;
}

function isReadable({ kind, size }: VersionFile): boolean {
  return kind === 'file' && size <= MOST_BYTES;
}
