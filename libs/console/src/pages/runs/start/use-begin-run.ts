import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';

import { isProblem } from '../../../api/problem.js';
import { useUser } from '../../../api/session.js';
import { useWorkspaceEvent } from '../../../app/live.js';
import { usePlace } from '../../../app/use-place.js';

interface BegunEvent {
  runId: string;
  script: { slug: string };
  startedBy: { userId: string | null };
  interface: string;
  test: boolean;
}

/** Which run is waited for. */
export interface Wanted {
  slug: string;
  test: boolean;
  /** No event tells of it. */
  plan: boolean;
  /** What is the same at another attempt at the same run. */
  attempt: string;
}

const BEGUN = new Set(['run.started', 'run.awaiting_approval']);

/**
 * Begins a run and goes to its page at once. The response to the start of a short run comes when it has ended, so the
 * page goes where the first of the two says: the event, or the response.
 */
export function useBeginRun() {
  const user = useUser();
  const place = usePlace();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const asked = useRef<Wanted | null>(null);
  const kept = useRef({ attempt: '', key: '' });

  const goTo = (runId: string): void => {
    if (!asked.current) return;
    asked.current = null;
    void navigate({ to: '/w/$workspace/$environment/runs/$runId', params: { ...place, runId } });
  };

  useWorkspaceEvent(({ type, data }) => {
    const event = data as unknown as BegunEvent;
    if (!asked.current || !BEGUN.has(type) || event.interface !== 'app') return;
    const { slug, test, plan } = asked.current;
    if (plan || event.script.slug !== slug || event.test !== test) return;
    if (event.startedBy.userId === user.id) goTo(event.runId);
  });

  const begin = async (
    wanted: Wanted,
    request: (key: string) => Promise<{ data: { id: string } }>,
  ): Promise<void> => {
    if (kept.current.attempt !== wanted.attempt)
      kept.current = { attempt: wanted.attempt, key: crypto.randomUUID() };
    setBusy(true);
    setProblem(null);
    asked.current = wanted;
    try {
      const { data } = await request(kept.current.key);
      kept.current = { attempt: '', key: '' };
      goTo(data.id);
    } catch (error) {
      // The same inputs after a failure on the way are the same attempt: no run begins twice.
      if (!mayHaveBegun(error)) kept.current = { attempt: '', key: '' };
      // Where its page is open already, that says the rest.
      if (asked.current) setProblem(error);
      asked.current = null;
    }
    setBusy(false);
  };
  return { begin, busy, problem };
}

function mayHaveBegun(error: unknown): boolean {
  return isProblem(error) && (error.status === 0 || error.status >= 500);
}
