import { useEffect, useState, useSyncExternalStore } from 'react';

import { RunLog, type RunLogState } from './run-log.js';

/** Follows the log of a run while the page is open. */
export function useRunLog(runId: string): RunLogState {
  const [kept, setKept] = useState(() => ({ runId, log: new RunLog() }));
  if (kept.runId !== runId) setKept({ runId, log: new RunLog() });
  const { log } = kept;
  useEffect(() => {
    const abort = new AbortController();
    void log.follow(runId, abort.signal);
    return () => abort.abort();
  }, [log, runId]);
  return useSyncExternalStore(log.subscribe, log.snapshot);
}
