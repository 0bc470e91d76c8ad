import type { Run, RunPage } from '@gatehouse/client/operations';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';

import { isStale, pagesOfList } from '../api/invalidate-operations.js';

const IS_OF_RUNS = isStale(new Set([pagesOfList('runsList')]));

type Pages = InfiniteData<Pick<RunPage, 'items' | 'nextCursor'>>;
type Ended = Pick<Run, 'status' | 'error' | 'durationMs' | 'finishedAt'> & { runId: string };

/** Shows in lists at once how a run ended, also in a row further down than what is read again. */
export function patchRuns(queries: QueryClient, type: string, data: Record<string, unknown>): void {
  if (!type.startsWith('run.') || typeof data['finishedAt'] !== 'string') return;
  const ended = data as unknown as Ended;
  queries.setQueriesData<Pages>({ predicate: IS_OF_RUNS }, (pages) => pages && withEnd(pages, ended));
}

function withEnd(data: Pages, { runId, status, error, durationMs, finishedAt }: Ended): Pages {
  const at = data.pages.findIndex(({ items }) => items.some(({ id }) => id === runId));
  const page = data.pages[at];
  if (!page) return data;
  const items = page.items.map((run): Run =>
    run.id === runId
      ? { ...run, phase: 'finished', waitingApprovalIds: [], status, error, durationMs, finishedAt }
      : run,
  );
  return { ...data, pages: data.pages.with(at, { ...page, items }) };
}
