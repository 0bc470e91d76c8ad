import type { RunCounts, RunStatistics } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { momentOf } from '../general/moment.js';
import { type JsonOptions, wantsJson } from '../output/fields.js';
import { type Column, printList, printOne } from '../output/print.js';

interface StatisticsOptions extends JsonOptions {
  by: string;
  script?: string;
  version?: string;
  since?: string;
  until?: string;
}

type Row = RunCounts & { name: string };

const COLUMNS: readonly Column<Row>[] = [
  ['', ({ name }) => name],
  ['succeeded', ({ succeeded }) => succeeded],
  ['failed', ({ failed }) => failed],
  ['other', ({ other }) => other],
  [
    'success',
    ({ successRate }) => (successRate === null ? null : `${Math.round(successRate * 1000) / 10} %`),
  ],
  ['p50 s', ({ durationSeconds }) => durationSeconds.p50],
  ['p95 s', ({ durationSeconds }) => durationSeconds.p95],
  ['wait p50 s', ({ waitingSeconds }) => waitingSeconds.p50],
  ['wait p95 s', ({ waitingSeconds }) => waitingSeconds.p95],
];

/** As a table those times in which runs have ended, then versions, then all. */
export default async function runStatistics({
  options,
  gatehouse,
}: Context<StatisticsOptions>): Promise<void> {
  const { by, script, version, since, until } = options;
  if (by !== 'hour' && by !== 'day') throw new WrongUse(`--by: "${by}" is neither hour nor day.`);
  const statistics = await (
    await gatehouse()
  ).runs.statistics({
    by,
    ...(script !== undefined && { script }),
    ...(version !== undefined && { version: Number(version) }),
    ...(since !== undefined && { since: momentOf('--since', since) }),
    ...(until !== undefined && { until: momentOf('--until', until) }),
  });
  if (wantsJson(options)) return printOne(statistics, options, []);
  await printList(rowsOf(statistics), options, COLUMNS);
}

function rowsOf({ by, buckets, versions, totals }: RunStatistics): Row[] {
  const busy = buckets.filter(({ succeeded, failed, other }) => succeeded + failed + other > 0);
  return [
    ...busy.map((bucket) => ({ ...bucket, name: bucket.at.slice(0, by === 'day' ? 10 : 16) })),
    ...versions.map((counts) => ({ ...counts, name: `version ${counts.version}` })),
    { ...totals, name: 'all' },
  ];
}
