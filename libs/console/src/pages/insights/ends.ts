import type { ChartSeries } from '../../kit/chart/column.js';

/** How runs end, as they are counted and stacked. */
export const ENDS = [
  { name: 'succeeded', label: 'Succeeded', tone: 'good', status: 'succeeded' },
  { name: 'failed', label: 'Failed', tone: 'bad', status: 'failed' },
  { name: 'other', label: 'Other', tone: 'quiet', status: 'cancelled' },
] as const satisfies readonly (ChartSeries & { label: string; status: string })[];

/** Of how long something took. */
export const QUANTILES = [
  { name: 'half', tone: 'middle' },
  { name: '95 %', tone: 'high' },
] as const satisfies readonly ChartSeries[];
