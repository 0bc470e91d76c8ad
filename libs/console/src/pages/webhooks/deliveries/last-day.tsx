import { deliveriesStatisticsOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { usePlace } from '../../../app/use-place.js';
import { BarChart } from '../../../kit/chart/bar-chart.js';
import { ChartPanel } from '../../../kit/chart/chart-panel.js';
import { Legend } from '../../../kit/chart/legend.js';
import { LOCALE } from '../../../kit/locale.js';
import { Moment } from '../../../kit/moment.js';
import { WideTable } from '../../../kit/wide-table.js';
import { bucketLabel, bucketShort } from '../../insights/bucket-words.js';
import { STATES, totalsOf } from './ends.js';

const HOUR_MS = 3_600_000;

/** How deliveries of the last 24 hours fare; a bar leads to its own. */
export function LastDay({ endpointId }: { endpointId: string }) {
  const place = usePlace();
  const query = useQuery(deliveriesStatisticsOptions({ path: { endpointId } }));
  const { data } = query;
  const buckets = data?.buckets ?? [];
  const isPart = data !== undefined && data.countedSince !== buckets[0]?.at;
  return (
    <ChartPanel
      title="The last 24 hours"
      query={query}
      chart={() => (
        <BarChart
          label="Deliveries, by hour"
          series={STATES}
          columns={buckets.map((bucket) => ({
            key: bucket.at,
            label: bucketLabel(bucket.at, 'hour'),
            short: bucketShort(bucket.at, 'hour', buckets.length),
            values: STATES.map(({ name }) => bucket[name]),
            link: {
              to: '/w/$workspace/$environment/webhooks/$endpointId',
              params: { ...place, endpointId },
              search: { since: bucket.at, until: new Date(Date.parse(bucket.at) + HOUR_MS).toISOString() },
              resetScroll: false,
            },
          }))}
        />
      )}
      table={() => (
        <WideTable
          label="Hour"
          head={['Hour', ...STATES.map(({ label }) => label)]}
          empty="Nothing was sent in this time."
          rows={buckets
            .filter(({ delivered, failed, pending }) => delivered + failed + pending > 0)
            .toReversed()
            .map((bucket) => ({
              key: bucket.at,
              cells: [
                bucketLabel(bucket.at, 'hour'),
                ...STATES.map(({ name }) => bucket[name].toLocaleString(LOCALE)),
              ],
            }))}
        />
      )}
    >
      {data && (
        <Legend
          entries={totalsOf(data).map(({ tone, count, name }) => ({
            tone,
            text: `${count.toLocaleString(LOCALE)} ${name}`,
          }))}
        />
      )}
      {isPart && (
        <Text size="xs" c="dimmed">
          Only the newest are counted, which were made since <Moment at={data.countedSince} />.
        </Text>
      )}
    </ChartPanel>
  );
}
