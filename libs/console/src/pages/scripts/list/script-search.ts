import { scriptsListInfiniteOptions } from '@gatehouse/client/react-query';

export const SCRIPT_STATUSES = ['published', 'draft', 'archived'] as const;
export type ScriptStatus = (typeof SCRIPT_STATUSES)[number];

/** What of the list is shown; it stands in the page's address. */
export interface ScriptSearch {
  q?: string;
  tag?: string;
  status?: ScriptStatus;
}

/** What somebody wrote into the address by hand is used where it fits, and left out elsewhere. */
export function scriptSearchOf(search: Record<string, unknown>): ScriptSearch {
  const q = textOf(search['q']);
  const tag = textOf(search['tag']);
  const status = SCRIPT_STATUSES.find((known) => known === search['status']);
  return { ...(q && { q }), ...(tag && { tag }), ...(status && { status }) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Page after page, as `usePages` takes it. */
export const scriptsQuery = (search: ScriptSearch) =>
  scriptsListInfiniteOptions({ query: { limit: 25, ...search } });
