import type { RunBucket, RunCounts, RunStatistics } from '@gatehouse/client/operations';
import { runStatisticsReadOptions } from '@gatehouse/client/react-query';
import {
  Box,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { type Bar, BarChart } from '../../../kit/bar-chart.js';
import { durationText } from '../../../kit/moment.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useScript } from '../script-context.js';

const CHART_PX = 240;
const PERIODS = [
  { value: 'hour', label: '48 hours' },
  { value: 'day', label: '30 days' },
] as const;
type By = (typeof PERIODS)[number]['value'];

const dayText = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const hourText = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const labelOf = (by: By, at: string): string => (by === 'hour' ? hourText : dayText).format(new Date(at));

const ENDS = [
  { name: 'succeeded', color: 'teal-6' },
  { name: 'failed', color: 'red-6' },
  { name: 'other', color: 'gray-6' },
] as const;

/** How its runs ended, what they took and how long they waited. */
export function Timing() {
  const { slug } = useScript();
  const [by, setBy] = useState<By>('hour');
  const [asTable, setAsTable] = useState(false);
  const { data, error, refetch } = useQuery({
    ...runStatisticsReadOptions({ query: { by, script: slug } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Paper withBorder p="md" component="section" aria-label="Durations and waiting">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} fz="sm">
            Durations and waiting
          </Title>
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label="Period"
              data={[...PERIODS]}
              value={by}
              onChange={(value) => setBy(value as By)}
            />
            <Button
              size="compact-xs"
              variant="default"
              aria-pressed={asTable}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? 'Show the chart' : 'Show as a table'}
            </Button>
          </Group>
        </Group>
        {!data &&
          (error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={CHART_PX} />)}
        {data && !asTable && <BarChart bars={data.buckets.map((one) => barOf(data.by, one))} parts={ENDS} />}
        {data && asTable && <Counts label="By time (UTC)" rows={busyRows(data)} />}
        {data && <Counts label="By version" rows={versionRows(data)} />}
      </Stack>
    </Paper>
  );
}

const barOf = (by: By, bucket: RunBucket): Bar => ({
  key: bucket.at,
  label: labelOf(by, bucket.at),
  values: ENDS.map(({ name }) => bucket[name]),
});

interface Row {
  name: string;
  counts: RunCounts;
}

/** Those without a run are left out. */
function busyRows({ by, buckets }: RunStatistics): Row[] {
  return buckets
    .filter(({ succeeded, failed, other }) => succeeded + failed + other > 0)
    .toReversed()
    .map((counts) => ({ name: labelOf(by, counts.at), counts }));
}

function versionRows({ versions, totals }: RunStatistics): Row[] {
  const all = { name: 'All', counts: totals };
  return [...versions.map((counts) => ({ name: `Version ${counts.version}`, counts })), all];
}

function Counts({ label, rows }: { label: string; rows: Row[] }) {
  if (rows.length === 0) return <Text size="sm">No run has ended in this time.</Text>;
  return (
    <Box style={{ overflowX: 'auto' }} role="region" aria-label={`${label}, a table`} tabIndex={0}>
      <Table aria-label={label} miw={480}>
        <Table.Thead>
          <Table.Tr>
            {[label, 'Succeeded', 'Failed', 'Half took', '95 % took', '95 % waited'].map((head) => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, counts }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{counts.succeeded.toLocaleString('en')}</Table.Td>
              <Table.Td>{counts.failed.toLocaleString('en')}</Table.Td>
              <Table.Td>{secondsText(counts.durationSeconds.p50)}</Table.Td>
              <Table.Td>{secondsText(counts.durationSeconds.p95)}</Table.Td>
              <Table.Td>{secondsText(counts.waitingSeconds.p95)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

const secondsText = (seconds: number | null): string =>
  seconds === null ? '–' : durationText(Math.round(seconds * 1000));
