import type { WebhookStatistics } from '@gatehouse/client/operations';

import type { ChartSeries } from '../../../kit/chart/column.js';

/** What deliveries are by now, as they are counted and stacked. */
export const STATES = [
  { name: 'delivered', label: 'Delivered', tone: 'good' },
  { name: 'failed', label: 'Failed', tone: 'bad' },
  { name: 'pending', label: 'Pending', tone: 'quiet' },
] as const satisfies readonly (ChartSeries & { label: string })[];

export function totalsOf({ buckets }: WebhookStatistics) {
  return STATES.map((state) => ({
    ...state,
    count: buckets.reduce((sum, bucket) => sum + bucket[state.name], 0),
  }));
}
