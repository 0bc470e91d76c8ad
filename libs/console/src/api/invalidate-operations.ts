import type { Query, QueryClient } from '@tanstack/react-query';

/** Of an operation only what is read page after page, and not what is read once, such as the choices of a filter. */
export const pagesOfList = (operation: string): string => `${operation}, pages`;

/** Makes stale what the named operations of the client returned; what is shown of it is read again. */
export function invalidateOperations(queries: QueryClient, operations: Iterable<string>): Promise<void> {
  return queries.invalidateQueries({ predicate: isStale(new Set(operations)) });
}

/** Whether a query is of one of the operations. */
export function isStale(operations: ReadonlySet<string>): (query: Pick<Query, 'queryKey'>) => boolean {
  return ({ queryKey }) => {
    const { _id: name = '', _infinite: hasPages } = (queryKey[0] ?? {}) as {
      _id?: string;
      _infinite?: boolean;
    };
    return operations.has(name) || (hasPages === true && operations.has(pagesOfList(name)));
  };
}
