import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { useSessionState } from '../api/session.js';

/** Reads everything again once the person whose session had ended is back: meanwhile it was refused. */
export function useReadAgain(queries: QueryClient): void {
  const { ended } = useSessionState();
  const before = useRef(ended);
  useEffect(() => {
    if (before.current && !ended) void queries.invalidateQueries();
    before.current = ended;
  }, [ended, queries]);
}
