import type { ScriptVersion } from '@gatehouse/client/operations';
import { versionsListOptions } from '@gatehouse/client/react-query';
import { Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { Empty } from '../../../kit/empty.js';
import { useScript } from '../script-context.js';
import { VersionDifference } from './version-difference.js';

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
      <VersionDifference key={from} slug={slug} from={from} to={number} />
    </Stack>
  );
}

function labelOf(number: number, versions: ScriptVersion[]): string {
  const published = versions.find((version) => version.number === number)?.published;
  return `version ${number}${published ? ' (published)' : ''}`;
}
