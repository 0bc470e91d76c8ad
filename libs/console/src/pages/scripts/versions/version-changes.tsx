import type { ScriptVersion } from '@gatehouse/client/operations';
import { versionsFindOptions, versionsListOptions } from '@gatehouse/client/react-query';
import { Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { Empty } from '../../../kit/empty.js';
import { fileChanges, versionFilesOptions } from '../../../kit/archive/version-files.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useScript } from '../script-context.js';
import { ChangedFiles } from './changed-files.js';
import { inputLines } from './input-lines.js';
import { lineChanges } from './line-changes.js';
import { permissionsOf } from './permissions.js';
import { WithNames } from './with-names.js';

interface VersionChangesProps {
  version: ScriptVersion;
  /** The version to compare with; without one, the one before. */
  against: number | undefined;
  onAgainst: (number: number) => void;
}

export function VersionChanges({ version, against, onAgainst }: VersionChangesProps) {
  const { slug } = useScript();
  const { number } = version;
  const { data } = useQuery(versionsListOptions({ path: { slug }, query: { limit: 100 } }));
  const others = (data?.items ?? []).filter((other) => other.number !== number);
  const from = against ?? number - 1;
  if (from < 1) {
    return <Empty title="This is the first version">There is none before it to compare with.</Empty>;
  }
  return (
    <Stack>
      <Group gap="xs">
        <Text size="sm" id="compare-with">
          Compared with
        </Text>
        <Select
          aria-labelledby="compare-with"
          size="xs"
          w={190}
          allowDeselect={false}
          data={[...new Set([from, ...others.map((other) => other.number)])]
            .sort((a, b) => b - a)
            .map((other) => ({ value: String(other), label: labelOf(other, others) }))}
          value={String(from)}
          onChange={(chosen) => chosen && onAgainst(Number(chosen))}
        />
      </Group>
      <Changes key={from} version={version} from={from} />
    </Stack>
  );
}

function Changes({ version, from }: { version: ScriptVersion; from: number }) {
  const { slug } = useScript();
  const earlier = useQuery(versionsFindOptions({ path: { slug, number: from } }));
  const before = useQuery(versionFilesOptions(slug, from));
  const after = useQuery(versionFilesOptions(slug, version.number));
  const error = earlier.error ?? before.error ?? after.error;
  if (error) return <ProblemNotice error={error} />;
  if (!earlier.data || !before.data || !after.data) return <Skeleton height={240} />;
  const lines = lineChanges(linesOf(earlier.data), linesOf(version));
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
      <Text span ff="monospace" fw={700} style={{ color }} aria-hidden>
        {sign}{' '}
      </Text>
      <span className="visually-hidden">{word}</span> <WithNames text={line} />
    </Text>
  );
}

/** Everything of a version but its files. */
function linesOf(version: ScriptVersion): string[] {
  return [
    ...permissionsOf(version),
    `runs \`${version.command}\``,
    `may take ${version.timeoutSeconds} seconds`,
    ...(version.build === null ? [] : [`is installed by \`${version.build}\``]),
    ...inputLines(version.inputSchema).map((line) => `takes ${line}`),
  ];
}

function labelOf(number: number, versions: ScriptVersion[]): string {
  const published = versions.find((version) => version.number === number)?.published;
  return `version ${number}${published ? ' (published)' : ''}`;
}
