import type { Query, QueryClient } from '@tanstack/react-query';

import type { ListOperation, PagesOfList, Stale } from './operations.js';

export const pagesOfList = (operation: ListOperation): PagesOfList => `${operation}, pages`;

/** Makes stale what the named operations of the client returned; what is shown of it is read again. */
export function invalidateOperations(queries: QueryClient, operations: Iterable<Stale>): Promise<void> {
  return queries.invalidateQueries({ predicate: isStale(new Set(operations)) });
}

/** Whether a query is of one of the operations. */
export function isStale(operations: ReadonlySet<Stale>): (query: Pick<Query, 'queryKey'>) => boolean {
  return ({ queryKey }) => {
    // Keys that are no operation's are of pages that read by themselves.
    const { _id: name, _infinite: hasPages } = (queryKey[0] ?? {}) as {
      _id?: ListOperation;
      _infinite?: boolean;
    };
    if (name === undefined) return false;
    return operations.has(name) || (hasPages === true && operations.has(pagesOfList(name)));
  };
}
