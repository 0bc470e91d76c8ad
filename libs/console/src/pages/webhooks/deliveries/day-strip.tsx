import { deliveriesStatisticsOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

import { SmallBars } from '../../../kit/chart/small-bars.js';
import { LOCALE } from '../../../kit/locale.js';
import { STATES, totalsOf } from './ends.js';

/** The last 24 hours of an endpoint, in its row. */
export function DayStrip({ endpointId }: { endpointId: string }) {
  const { data } = useQuery(deliveriesStatisticsOptions({ path: { endpointId } }));
  if (!data) return null;
  const totals = totalsOf(data).filter(({ count }) => count > 0);
  if (totals.length === 0) return <span className="dimmed">nothing sent</span>;
  const words = totals.map(({ name, count }) => `${count.toLocaleString(LOCALE)} ${name}`).join(', ');
  return (
    <SmallBars
      label={`In the last 24 hours ${words}`}
      series={STATES}
      columns={data.buckets.map((bucket) => ({
        key: bucket.at,
        values: STATES.map(({ name }) => bucket[name]),
      }))}
    />
  );
}
