import type { RunBucket, RunStatistics } from '@gatehouse/client/operations';
import { runStatisticsReadOptions } from '@gatehouse/client/react-query';
import { Anchor, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';

import { environmentsQuery } from '../../app/place-queries.js';
import { usePlace } from '../../app/use-place.js';
import { BarChart } from '../../kit/chart/bar-chart.js';
import { ChartPanel } from '../../kit/chart/chart-panel.js';
import type { ChartColumn } from '../../kit/chart/column.js';
import { DurationChart } from '../../kit/chart/duration-chart.js';
import { Legend } from '../../kit/chart/legend.js';
import { LOCALE } from '../../kit/locale.js';
import { bucketLabel, bucketShort, runsBetween, runsOfBucket } from './bucket-words.js';
import { CountsTable, secondsText } from './counts-table.js';
import { ENDS, QUANTILES } from './ends.js';
import { type InsightsSearch, periodOf } from './insights-search.js';
import { PeriodBar } from './period-bar.js';
import { TopErrors } from './top-errors.js';
import { Totals } from './totals.js';

interface InsightsProps {
  search: InsightsSearch;
  onSearch: (search: InsightsSearch) => void;
  /** What else narrows it. */
  children?: ReactNode;
  /** By version, where it is about one script. */
  ofScript?: boolean;
}

/** How runs ended over time, what they took and how long they waited. */
export function Insights({ search, onSearch, children, ofScript = false }: InsightsProps) {
  const place = usePlace();
  const { script, environment } = search;
  // The period counts from when it was chosen; the events bring what comes after.
  const period = useMemo(() => periodOf(search, Date.now()), [search]);
  const narrowed = { ...(script && { script }), ...(environment && { environment }) };
  const { units: _, ...asked } = period;
  const query = useQuery({
    ...runStatisticsReadOptions({ query: { ...asked, ...narrowed } }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const columnsOf = (valuesOf: (bucket: RunBucket) => ChartColumn['values']): ChartColumn[] =>
    (data?.buckets ?? []).map((bucket, _, { length }) => ({
      key: bucket.at,
      label: bucketLabel(bucket.at, data!.by),
      short: bucketShort(bucket.at, data!.by, length),
      values: valuesOf(bucket),
      link: runsOfBucket(place, bucket.at, data!.by, narrowed),
    }));
  const table = (): ReactNode => (
    <CountsTable
      label={data!.by === 'day' ? 'Day (UTC)' : 'Hour'}
      rows={busyBuckets(data!).map((bucket) => ({
        name: bucketLabel(bucket.at, data!.by),
        counts: bucket,
        linkOf: (status) => runsOfBucket(place, bucket.at, data!.by, { ...narrowed, status }),
      }))}
    />
  );
  return (
    <Stack>
      <Group gap="xs" role="search" aria-label="Insights">
        <PeriodBar search={search} period={period} onSearch={onSearch} />
        {children}
        <EnvironmentFilter
          value={environment ?? null}
          onChange={(name) => onSearch({ ...search, environment: name ?? undefined } as InsightsSearch)}
        />
      </Group>
      {data && <Totals totals={data.totals} />}
      <ChartPanel
        title="Runs that ended"
        query={query}
        table={table}
        chart={() => (
          <BarChart
            label="Runs that ended, by time"
            series={ENDS}
            columns={columnsOf((bucket) => ENDS.map(({ name }) => bucket[name]))}
          />
        )}
      >
        {data && (
          <Legend
            entries={ENDS.map(({ name, tone, status }) => ({
              tone,
              text: (
                <Anchor
                  inherit
                  c="inherit"
                  renderRoot={(props) => (
                    <Link
                      {...runsBetween(place, { since: data.from, until: data.until, ...narrowed, status })}
                      {...props}
                    />
                  )}
                >
                  {data.totals[name].toLocaleString(LOCALE)} {name}
                </Anchor>
              ),
            }))}
          />
        )}
        <Text size="xs" c="dimmed">
          A bar leads to the runs that were asked for in its time. Tests are not counted.
        </Text>
      </ChartPanel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {(['durationSeconds', 'waitingSeconds'] as const).map((measure) => (
          <ChartPanel
            key={measure}
            title={measure === 'durationSeconds' ? 'What they took' : 'How long they waited'}
            query={query}
            table={table}
            chart={() => (
              <DurationChart
                label={
                  measure === 'durationSeconds' ? 'What runs took, by time' : 'How long runs waited, by time'
                }
                series={QUANTILES}
                columns={columnsOf((bucket) => [inMs(bucket[measure].p50), inMs(bucket[measure].p95)])}
              />
            )}
          >
            {data && (
              <Legend
                entries={[
                  { tone: 'middle', text: `half at most ${secondsText(data.totals[measure].p50)}` },
                  { tone: 'high', text: `95 % at most ${secondsText(data.totals[measure].p95)}` },
                ]}
              />
            )}
          </ChartPanel>
        ))}
      </SimpleGrid>
      {ofScript && data && (
        <CountsTable
          label="By version"
          rows={data.versions.map((counts) => ({ name: `Version ${counts.version}`, counts }))}
        />
      )}
      <TopErrors script={script} environment={environment} since={period.since} />
    </Stack>
  );
}

function EnvironmentFilter({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (name: string | null) => void;
}) {
  const { data } = useQuery(environmentsQuery());
  const names = data?.items.map(({ name }) => name) ?? [];
  if (names.length < 2 && value === null) return null;
  return (
    <Select
      size="xs"
      w={158}
      aria-label="Environment"
      placeholder="Any environment"
      data={value === null || names.includes(value) ? names : [value, ...names]}
      value={value}
      onChange={onChange}
      clearable
    />
  );
}

const inMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

/** The newest first; those without a run are left out. */
function busyBuckets({ buckets }: RunStatistics): RunBucket[] {
  return buckets.filter(({ succeeded, failed, other }) => succeeded + failed + other > 0).toReversed();
}
