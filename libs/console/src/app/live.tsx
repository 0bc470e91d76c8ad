import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import {
  type ReactNode,
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import type { Place } from '../api/place.js';
import { isProblem } from '../api/problem.js';
import { type ServerEvent, serverEvents } from '../api/server-events.js';
import { refreshSession, sessionEnded, useSessionState } from '../api/session.js';
import { patchRuns } from './patch-runs.js';
import { countedAfter, staleAfter } from './stale-after.js';
import { StaleQueries } from './stale-queries.js';
import { useReadAgain } from './use-read-again.js';

type Listener = (event: WorkspaceEvent) => void;

export interface WorkspaceEvent {
  id: string;
  type: string;
  createdAt: string;
  data: Record<string, unknown>;
}

interface Live {
  connected: boolean;
  listen: (listener: Listener) => () => void;
}

const LiveContext = createContext<Live>({ connected: true, listen: () => () => undefined });

/** One stream of the workspace's events for the open page: what they change is read again. */
export function LiveProvider({ place, children }: { place: Place; children: ReactNode }) {
  const { workspace, environment } = place;
  const queries = useQueryClient();
  const [connected, setConnected] = useState(true);
  const listeners = useRef(new Set<Listener>());

  const { ended } = useSessionState();
  useReadAgain(queries);

  useEffect(() => {
    if (ended) return;
    const abort = new AbortController();
    const stale = new StaleQueries(queries, abort.signal);
    void follow(abort.signal, queries, stale, listeners.current, setConnected);
    return () => abort.abort();
  }, [workspace, environment, queries, ended]);

  const listen = useCallback((listener: Listener): (() => void) => {
    listeners.current.add(listener);
    return () => listeners.current.delete(listener);
  }, []);
  const live = useMemo(() => ({ connected, listen }), [connected, listen]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

async function follow(
  signal: AbortSignal,
  queries: QueryClient,
  stale: StaleQueries,
  listeners: Set<Listener>,
  onConnection: (open: boolean) => void,
): Promise<void> {
  let wasCut = false;
  const onChange = (open: boolean): void => {
    if (signal.aborted) return;
    onConnection(open);
    // What happened in between is told from the last event on; what is no event may have changed as well.
    if (open && wasCut) void queries.invalidateQueries();
    wasCut = !open;
  };
  try {
    for await (const message of serverEvents('/v1/workspace/events/stream', {
      signal,
      onConnection: onChange,
    })) {
      apply(message, queries, stale, listeners);
    }
  } catch (error) {
    if (signal.aborted) return;
    onConnection(false);
    if (isProblem(error, 'unauthorized')) sessionEnded();
    else if (isProblem(error, 'forbidden')) await refreshSession();
  }
}

function apply(
  { event, data }: ServerEvent,
  queries: QueryClient,
  stale: StaleQueries,
  listeners: Set<Listener>,
): void {
  if (event === 'reset') {
    void queries.invalidateQueries();
    return;
  }
  const told = data as WorkspaceEvent;
  patchRuns(queries, event, told.data);
  stale.add(staleAfter(event));
  stale.addCounted(countedAfter(event));
  for (const listener of listeners) listener(told);
}

/** Calls `listener` for each event that reaches the open page. */
export function useWorkspaceEvent(listener: Listener): void {
  const { listen } = useContext(LiveContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => listen((event) => latest.current(event)), [listen]);
}

/** Whether changes come by themselves at the moment. */
export function useIsConnected(): boolean {
  return useContext(LiveContext).connected;
}
