import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Reads again what the named operations of the client returned, after an act of one's own that no event tells of. */
export function useRefresh(): (...operations: string[]) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    (...operations) =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) =>
          operations.includes((queryKey[0] as { _id?: string } | undefined)?._id ?? ''),
      }),
    [queries],
  );
}
