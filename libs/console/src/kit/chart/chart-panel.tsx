import { Button, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { ProblemNotice } from '../problem-notice.js';
import type { Reading } from '../reading.js';

const CHART_PX = 240;

interface ChartPanelProps {
  title: string;
  /** Until it has data, or a problem, its place is kept. */
  query: Reading;
  chart: () => ReactNode;
  /** The same for those who cannot see it, or want the numbers. */
  table: () => ReactNode;
  /** Below either. */
  children?: ReactNode;
}

/** What every chart stands in: its title, and its numbers as a table. */
export function ChartPanel({ title, query, chart, table, children }: ChartPanelProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} fz="sm">
            {title}
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
        {query.data === undefined &&
          (query.error ? (
            <ProblemNotice error={query.error} onRetry={query.refetch} />
          ) : (
            <Skeleton height={CHART_PX} />
          ))}
        {query.data !== undefined && (asTable ? table() : chart())}
        {query.data !== undefined && children}
      </Stack>
    </Paper>
  );
}
