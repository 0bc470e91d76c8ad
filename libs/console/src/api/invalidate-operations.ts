import type { QueryClient } from '@tanstack/react-query';

/** Makes stale what the named operations of the client returned; what is shown of it is read again. */
export function invalidateOperations(queries: QueryClient, operations: Iterable<string>): Promise<void> {
  const stale = new Set(operations);
  return queries.invalidateQueries({
    predicate: ({ queryKey }) => stale.has((queryKey[0] as { _id?: string } | undefined)?._id ?? ''),
  });
}
