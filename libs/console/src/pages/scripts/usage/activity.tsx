import type { ScriptDay } from '@gatehouse/client/operations';
import { scriptsActivityOptions } from '@gatehouse/client/react-query';
import { Button, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { type Bar, BarChart } from '../../../kit/bar-chart.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useScript } from '../script-context.js';
import classes from './activity.module.css';

const CHART_PX = 240;
const dayText = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
/** What ended, as it is stacked: a part of each day and its color. */
const ENDS = [
  { name: 'succeeded', color: 'teal-6' },
  { name: 'failed', color: 'red-6' },
] as const;

/** The runs of the last 30 days, as a chart or as a table. */
export function Activity() {
  const { slug } = useScript();
  const { data, error, refetch } = useQuery(scriptsActivityOptions({ path: { slug } }));
  const [asTable, setAsTable] = useState(false);
  return (
    <Paper withBorder p="md" component="section" aria-label="Runs of the last 30 days">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} fz="sm">
            Runs of the last 30 days
          </Title>
          <Button
            size="compact-xs"
            variant="default"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? 'Show the chart' : 'Show as a table'}
          </Button>
        </Group>
        {!data &&
          (error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={CHART_PX} />)}
        {data && asTable && <ActivityTable days={data.days} />}
        {data && !asTable && (
          <>
            <BarChart bars={data.days.map(barOf)} parts={ENDS} />
            <Legend days={data.days} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

const barOf = (ended: ScriptDay): Bar => ({
  key: ended.day,
  label: dayText.format(new Date(ended.day)),
  values: ENDS.map(({ name }) => ended[name]),
});

function Legend({ days }: { days: ScriptDay[] }) {
  return (
    <Group gap="md">
      {ENDS.map(({ name, color }) => (
        <Text key={name} size="sm">
          <span className={classes['key']} style={{ background: `var(--mantine-color-${color})` }} />
          {days.reduce((sum, day) => sum + day[name], 0).toLocaleString('en')} {name}
        </Text>
      ))}
    </Group>
  );
}

/** Days without a run are left out. */
function ActivityTable({ days }: { days: ScriptDay[] }) {
  const busy = days.filter(({ runs, succeeded, failed }) => runs + succeeded + failed > 0).reverse();
  if (busy.length === 0) return <Text size="sm">No runs in the last 30 days.</Text>;
  return (
    <Table aria-label="Runs by day">
      <Table.Thead>
        <Table.Tr>
          {['Day (UTC)', 'Started', 'Succeeded', 'Failed'].map((label) => (
            <Table.Th key={label} scope="col">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {busy.map(({ day, runs, succeeded, failed }) => (
          <Table.Tr key={day}>
            <Table.Td>{day}</Table.Td>
            <Table.Td>{runs}</Table.Td>
            <Table.Td>{succeeded}</Table.Td>
            <Table.Td>{failed}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
