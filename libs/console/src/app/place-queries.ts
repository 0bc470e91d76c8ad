import { approvalsListOptions, environmentsListOptions } from '@gatehouse/client/react-query';
import type { QueryClient } from '@tanstack/react-query';

import type { Place } from '../api/place.js';
import { newQueryClient } from '../api/query-client.js';

let entered: { of: string; queries: QueryClient } | null = null;

/**
 * What has been read here. It is shown neither in another workspace or environment nor to another person, and is forgotten
 * as soon as the workspace is left, since nothing tells of its changes then.
 */
export function enterQueries(userId: string, place: Place, isNew: boolean): QueryClient {
  const of = nameOf(userId, place);
  if (isNew || entered?.of !== of) entered = { of, queries: newQueryClient() };
  return entered.queries;
}

/** The same for a page that is only looked ahead to: null where that is somewhere else. */
export function enteredQueries(userId: string, place: Place): QueryClient | null {
  return entered?.of === nameOf(userId, place) ? entered.queries : null;
}

function nameOf(userId: string, { workspace, environment }: Place): string {
  return `${userId} ${workspace} ${environment}`;
}

export const environmentsQuery = () => environmentsListOptions({ query: { limit: 100 } });

/** Whatever waits, also for others to decide. */
export const pendingRequestsQuery = () => approvalsListOptions({ query: { status: 'pending', limit: 100 } });
