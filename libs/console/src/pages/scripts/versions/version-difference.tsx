import { versionsFindOptions } from '@gatehouse/client/react-query';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { Empty } from '../../../kit/empty.js';
import { fileChanges, versionFilesOptions } from '../../../kit/archive/version-files.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { ChangedFiles } from './changed-files.js';
import { lineChanges } from './line-changes.js';
import { linesOf } from './version-lines.js';
import { WithNames } from './with-names.js';

interface VersionDifferenceProps {
  slug: string;
  from: number;
  to: number;
}

/** What one version of a script changes of another: what it may do, how it runs, and its files. */
export function VersionDifference({ slug, from, to }: VersionDifferenceProps) {
  const earlier = useQuery(versionsFindOptions({ path: { slug, number: from } }));
  const later = useQuery(versionsFindOptions({ path: { slug, number: to } }));
  const before = useQuery(versionFilesOptions(slug, from));
  const after = useQuery(versionFilesOptions(slug, to));
  const failed = [earlier, later, before, after].find(({ error }) => error !== null);
  if (failed) return <ProblemNotice error={failed.error} onRetry={failed.refetch} />;
  if (!earlier.data || !later.data || !before.data || !after.data) return <Skeleton height={240} />;
  const lines = lineChanges(linesOf(earlier.data), linesOf(later.data));
  const files = fileChanges(before.data, after.data);
  if (files.length + lines.added.length + lines.removed.length === 0) {
    return <Empty title={`Nothing differs from version ${from}`} />;
  }
  return (
    <Stack>
      <Title order={3} fz="sm">
        What it may do and how it runs
      </Title>
      {lines.added.length + lines.removed.length === 0 ? (
        <Text size="sm" c="dimmed">
          The same as in version {from}.
        </Text>
      ) : (
        <Stack gap={4}>
          {lines.removed.map((line) => (
            <Line key={line} sign="−" word="No longer:" line={line} />
          ))}
          {lines.added.map((line) => (
            <Line key={line} sign="+" word="New:" line={line} />
          ))}
        </Stack>
      )}
      <Title order={3} fz="sm">
        Files
      </Title>
      {files.length === 0 ? (
        <Text size="sm" c="dimmed">
          The same as in version {from}.
        </Text>
      ) : (
        <ChangedFiles changes={files} />
      )}
    </Stack>
  );
}

function Line({ sign, word, line }: { sign: string; word: string; line: string }) {
  const color = sign === '+' ? 'light-dark(#0b5f45, #8ce9c0)' : 'light-dark(#9c1f1f, #ffa8a8)';
  return (
    <Text size="sm" component="div" className="user-text">
      <Text span ff="monospace" fw={600} style={{ color }} aria-hidden>
        {sign}{' '}
      </Text>
      <span className="visually-hidden">{word}</span> <WithNames text={line} />
    </Text>
  );
}
