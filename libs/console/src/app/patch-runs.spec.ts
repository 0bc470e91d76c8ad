import type { Run } from '@gatehouse/client/operations';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';

import { patchRuns } from './patch-runs.js';

const KEY = [{ _id: 'runsList', _infinite: true }];
const run = (id: string) => ({ id, phase: 'executing', status: 'running', error: null }) as Run;
const ended = {
  runId: 'run_1',
  status: 'failed',
  error: 'exit code 3',
  durationMs: 812,
  finishedAt: '2026-01-31T12:00:00.900Z',
};

function listOf(...pages: string[][]): QueryClient {
  const queries = new QueryClient();
  const items = pages.map((ids) => ({ items: ids.map(run), nextCursor: null }));
  queries.setQueryData(KEY, { pages: items, pageParams: pages.map(() => null) });
  return queries;
}

const pagesOf = (queries: QueryClient) =>
  queries.getQueryData<{ pages: { items: Run[] }[] }>(KEY)!.pages.map(({ items }) => items);

describe('patchRuns', () => {
  it('shows how a run ended on whichever page it is, and touches no other page', () => {
    const queries = listOf(['run_2'], ['run_1']);
    const [first] = pagesOf(queries);
    patchRuns(queries, 'run.failed', ended);
    const after = pagesOf(queries);
    expect(after[1]).toMatchObject([{ phase: 'finished', status: 'failed', error: 'exit code 3' }]);
    expect(after[0]).toBe(first);
  });

  it('leaves a list alone that does not show the run, and a run that only began', () => {
    const queries = listOf(['run_2'], ['run_3']);
    const before = pagesOf(queries);
    patchRuns(queries, 'run.failed', ended);
    patchRuns(queries, 'run.started', { ...ended, runId: 'run_2', status: 'running', finishedAt: null });
    expect(pagesOf(queries)).toEqual(before);
  });
});
