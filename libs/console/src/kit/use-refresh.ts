import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import type { Stale } from '../api/operations.js';
import { invalidateOperations } from '../api/invalidate-operations.js';

/** Reads again what the named operations of the client returned, after an act of one's own that no event tells of. */
export function useRefresh(): (...operations: Stale[]) => Promise<void> {
  const queries = useQueryClient();
  return useCallback((...operations) => invalidateOperations(queries, operations), [queries]);
}
