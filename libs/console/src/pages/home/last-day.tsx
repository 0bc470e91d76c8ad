import type { RunStatistics } from '@gatehouse/client/operations';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../app/use-place.js';
import { BarChart } from '../../kit/chart/bar-chart.js';
import { ChartPanel } from '../../kit/chart/chart-panel.js';
import { Legend } from '../../kit/chart/legend.js';
import { LOCALE } from '../../kit/locale.js';
import type { Reading } from '../../kit/reading.js';
import { bucketLabel, bucketShort, runsBetween, runsOfBucket } from '../insights/bucket-words.js';
import { CountsTable } from '../insights/counts-table.js';
import { ENDS } from '../insights/ends.js';

const HOURS = 24;

/** How the runs of the last 24 hours ended. */
export function LastDay({ query }: { query: Reading<RunStatistics> }) {
  const place = usePlace();
  const buckets = query.data?.buckets.slice(-HOURS) ?? [];
  const since = buckets[0]?.at ?? '';
  return (
    <ChartPanel
      title="The last 24 hours"
      query={query}
      chart={() => (
        <BarChart
          label="Runs that ended, by hour"
          series={ENDS}
          columns={buckets.map((bucket, _, { length }) => ({
            key: bucket.at,
            label: bucketLabel(bucket.at, 'hour'),
            short: bucketShort(bucket.at, 'hour', length),
            values: ENDS.map(({ name }) => bucket[name]),
            link: runsOfBucket(place, bucket.at, 'hour', {}),
          }))}
        />
      )}
      table={() => (
        <CountsTable
          label="Hour"
          rows={buckets
            .filter(({ succeeded, failed, other }) => succeeded + failed + other > 0)
            .toReversed()
            .map((bucket) => ({
              name: bucketLabel(bucket.at, 'hour'),
              counts: bucket,
              linkOf: (status) => runsOfBucket(place, bucket.at, 'hour', { status }),
            }))}
        />
      )}
    >
      <Legend
        entries={ENDS.map(({ name, tone, status }) => ({
          tone,
          text: (
            <Anchor
              inherit
              c="inherit"
              renderRoot={(props) => <Link {...runsBetween(place, { since, status })} {...props} />}
            >
              {buckets.reduce((sum, bucket) => sum + bucket[name], 0).toLocaleString(LOCALE)} {name}
            </Anchor>
          ),
        }))}
      />
    </ChartPanel>
  );
}
