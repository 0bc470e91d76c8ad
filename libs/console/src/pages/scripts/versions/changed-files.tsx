import { Accordion, Badge, Group, Skeleton, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';

import { CodeDifference } from '../../../kit/code-difference.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { type VersionFile, versionFileOptions } from '../coming.js';
import { useScript } from '../script-context.js';
import type { FileChange } from './file-changes.js';
import { MOST_BYTES, textOf } from './text-of.js';

/** As many are open at first; more would be read only to be passed over. */
const OPEN_AT_FIRST = 3;

interface ChangedFilesProps {
  changes: FileChange[];
  from: number;
  to: number;
}

export function ChangedFiles({ changes, from, to }: ChangedFilesProps) {
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
          <Accordion.Panel>
            {open.includes(change.path) && <Difference change={change} from={from} to={to} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Difference({ change, from, to }: { change: FileChange; from: number; to: number }) {
  const { slug } = useScript();
  const { path, before, after } = change;
  const readable = [before, after].every((file) => file === null || isReadable(file));
  const [earlier, later] = useQueries({
    queries: [
      { ...versionFileOptions(slug, from, path), enabled: readable && before !== null },
      { ...versionFileOptions(slug, to, path), enabled: readable && after !== null },
    ],
  });
  if (!readable) return <Text size="sm">It is a link or over 1 MB, so its text is not compared.</Text>;
  const error = earlier.error ?? later.error;
  if (error) return <ProblemNotice error={error} />;
  if ((before && !earlier.data) || (after && !later.data)) return <Skeleton height={160} />;
  const texts = [earlier.data, later.data].map((bytes) => (bytes ? textOf(bytes) : ''));
  const [old, now] = texts;
  if (typeof old !== 'string' || typeof now !== 'string') {
    return <Text size="sm">It is not text, so only the fact that it differs is known.</Text>;
  }
  if (old === now) return <Text size="sm">Only whether it may be executed differs.</Text>;
  return <CodeDifference before={old} after={now} path={path} />;
}

function isReadable({ kind, size }: VersionFile): boolean {
  return kind === 'file' && size <= MOST_BYTES;
}
