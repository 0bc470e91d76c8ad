import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { staleAfter } from '../../app/stale-after.js';

type Family = 'script' | 'schedule' | 'trigger';

/** Reads again what one's own change concerns: not every change is an event. */
export function useRefresh(): (family: Family) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    (family) => {
      const stale = staleAfter(`${family}.changed`);
      return queries.invalidateQueries({
        predicate: ({ queryKey }) => stale.has((queryKey[0] as { _id?: string } | undefined)?._id ?? ''),
      });
    },
    [queries],
  );
}
