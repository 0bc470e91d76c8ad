import type { ErrorGroup } from '@gatehouse/client/operations';

export const ERROR_STATUSES = ['open', 'resolved', 'ignored'] as const;

/** Which errors are shown; it stands in the page's address. Nothing chosen: those that are open. */
export interface ErrorListSearch {
  script?: string;
  status?: ErrorGroup['status'] | 'any';
}

/** What somebody wrote into the address by hand is used where it fits, and left out elsewhere. */
export function errorListSearchOf(search: Record<string, unknown>): ErrorListSearch {
  const script = search['script'];
  const status = [...ERROR_STATUSES, 'any' as const].find((known) => known === search['status']);
  return {
    ...(typeof script === 'string' && script !== '' && { script }),
    ...(status && { status }),
  };
}

/** The same as the service is asked for it. */
export function errorListQuery({ script, status = 'open' }: ErrorListSearch) {
  return { ...(script !== undefined && { script }), ...(status !== 'any' && { status }) };
}
