import { type Run, runsTest } from '@gatehouse/client/operations';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { runOptions } from '../../../kit/run-options.js';
import { useUser } from '../../../api/session.js';
import { useWorkspaceEvent } from '../../../app/live.js';
import type { Draft, MadeVersion } from './draft.js';
import { madeVersion } from './make-version.js';

export interface TestRun {
  /** What is being done before there is a run; null when nothing is. */
  step: string | null;
  runId: string | null;
  run: Run | undefined;
  version: number | null;
  problem: unknown;
  begin: (draft: Draft, inputs: Record<string, unknown>) => Promise<void>;
}

interface Waited {
  slug: string;
  version: number;
}

/**
 * Makes a version of a draft if anything has changed, and runs it. The response to a short run comes when it has ended, so its id
 * is taken from the event that says that it began: its log can be followed meanwhile.
 */
export function useTestRun(onMade: (patch: Partial<Draft>) => void): TestRun {
  const user = useUser();
  const [step, setStep] = useState<string | null>(null);
  const [runId, setRunId] = useState<string | null>(null);
  const [version, setVersion] = useState<number | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const waited = useRef<Waited | null>(null);

  useWorkspaceEvent(({ type, data }) => {
    if (type !== 'run.started' || !waited.current) return;
    const told = data as unknown as {
      runId: string;
      script: { slug: string };
      startedBy: { userId: string };
    } & {
      version: number;
      test: boolean;
    };
    const { slug, version: number } = waited.current;
    if (!told.test || told.script.slug !== slug || told.version !== number) return;
    if (told.startedBy.userId === user.id) setRunId(told.runId);
  });

  const { data: run } = useQuery({
    ...runOptions(runId ?? ''),
    enabled: runId !== null,
  });

  const begin = async (draft: Draft, inputs: Record<string, unknown>): Promise<void> => {
    setProblem(null);
    setRunId(null);
    try {
      const made: MadeVersion = await madeVersion(draft, {
        onStep: setStep,
        onScript: (exists) => onMade({ exists }),
      });
      onMade({ exists: true, made });
      setVersion(made.number);
      setStep('Starting the run');
      waited.current = { slug: draft.slug, version: made.number };
      const { data } = await runsTest({
        path: { slug: draft.slug, number: made.number },
        body: { inputs },
      });
      setRunId(data.id);
    } catch (error) {
      setProblem(error);
    } finally {
      waited.current = null;
      setStep(null);
    }
  };

  return { step, runId, run, version, problem, begin };
}
