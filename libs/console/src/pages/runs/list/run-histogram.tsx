import type { RunStatistics } from '@gatehouse/client/operations';
import { runStatisticsReadOptions } from '@gatehouse/client/react-query';
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';

import { type Edges, PeriodPicker } from '../../../kit/chart/period-picker.js';
import { LOCALE } from '../../../kit/locale.js';
import { everyHalfMinute } from '../../../kit/moment.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { bucketLabel, bucketShort } from '../../insights/bucket-words.js';
import { ENDS } from '../../insights/ends.js';
import { UNIT_MS } from '../../insights/insights-search.js';
import { type HistogramWindow, histogramWindow } from './histogram-window.js';
import { type RunListSearch, statusesOf } from './run-list-search.js';

interface RunHistogramProps {
  search: RunListSearch;
  onPeriod: (period: { since: string; until: string }) => void;
}

/** By which the service does not count. */
const NOT_COUNTED = {
  q: 'words',
  label: 'labels',
  interface: 'how they were started',
  plan: 'plans',
  by: 'person',
  minSeconds: 'duration',
  scheduleId: 'schedule',
  triggerId: 'trigger',
  causedBy: 'cause',
} as const satisfies Partial<Record<keyof RunListSearch, string>>;

/** How the runs of a list ended over time, to choose a time by. */
export function RunHistogram({ search, onPeriod }: RunHistogramProps) {
  const { since, until, script, environment } = search;
  const hour = useSyncExternalStore(everyHalfMinute, hourNow);
  // In the next hour there is a bar more.
  const drawn = useMemo(() => histogramWindow({ since, until }, Date.now()), [since, until, hour]);
  const { chosen, ...asked } = drawn;
  const narrowed = { ...(script && { script }), ...(environment && { environment }) };
  const { data, error, refetch } = useQuery({
    ...runStatisticsReadOptions({ query: { ...asked, ...narrowed } }),
    placeholderData: keepPreviousData,
  });
  const problem = error && <ProblemNotice error={error} onRetry={refetch} />;
  if (!data) return problem ?? <Skeleton height={78} />;
  const ends = endsOf(search);
  return (
    <>
      {problem}
      <PeriodPicker
        label="When they ended"
        caption={captionOf(data, search, ends)}
        series={ends}
        columns={data.buckets.map((bucket, _, { length }) => ({
          key: bucket.at,
          label: bucketLabel(bucket.at, data.by),
          short: bucketShort(bucket.at, data.by, length),
          values: ends.map(({ name }) => bucket[name]),
        }))}
        chosen={edgesOf(data, chosen)}
        onChosen={([from, to]) => onPeriod({ since: data.buckets[from]!.at, until: endOf(data, to - 1) })}
      />
    </>
  );
}

const hourNow = (): number => Math.floor(Date.now() / UNIT_MS.hour);

/** Of those ends that the list shows. */
function endsOf({ status }: RunListSearch) {
  const wanted = statusesOf(status);
  return ENDS.filter((end) => wanted.length === 0 || wanted.includes(end.status));
}

function captionOf(
  { by, totals }: RunStatistics,
  search: RunListSearch,
  ends: readonly (typeof ENDS)[number][],
): string {
  const counts = ends.map(({ name }) => `${totals[name].toLocaleString(LOCALE)} ${name}`);
  const left = (Object.keys(NOT_COUNTED) as (keyof typeof NOT_COUNTED)[]).filter((name) => name in search);
  const without =
    left.length === 0 ? '' : `, whatever their ${left.map((name) => NOT_COUNTED[name]).join(', ')}`;
  return counts.length === 0
    ? 'Nothing that is chosen has ended.'
    : `Ended by ${by}${by === 'day' ? ' (UTC)' : ''}: ${counts.join(', ')}${without}. Drag to choose a time.`;
}

function edgesOf({ buckets, by }: RunStatistics, chosen: HistogramWindow['chosen']): Edges | null {
  if (!chosen) return null;
  const within = (at: string): boolean =>
    Date.parse(at) < chosen.until && Date.parse(at) + UNIT_MS[by] > chosen.since;
  const from = buckets.findIndex(({ at }) => within(at));
  return from < 0 ? null : [from, buckets.findLastIndex(({ at }) => within(at)) + 1];
}

function endOf({ buckets, by }: RunStatistics, index: number): string {
  return new Date(Date.parse(buckets[index]!.at) + UNIT_MS[by]).toISOString();
}
