import { publishingPublish } from '@gatehouse/client/operations';
import { useState } from 'react';

import type { Draft, MadeVersion } from './draft.js';
import { madeVersion } from './make-version.js';

export interface Publishing {
  step: string | null;
  problem: unknown;
  /** Makes a version of the draft if anything has changed, without publishing it. */
  save: (draft: Draft) => Promise<MadeVersion | null>;
  /**
   * The approval request, where a second person has to approve.
   * @param expected the number of the version that is published now, 0 for none
   */
  publish: (
    draft: Draft,
    expected: number | undefined,
  ) => Promise<{ version: number; requestId: string | null } | null>;
}

export function usePublishing(onMade: (patch: Partial<Draft>) => void): Publishing {
  const [step, setStep] = useState<string | null>(null);
  const [problem, setProblem] = useState<unknown>(null);

  const attempt = async <Result>(act: () => Promise<Result>): Promise<Result | null> => {
    setProblem(null);
    try {
      return await act();
    } catch (error) {
      setProblem(error);
      return null;
    } finally {
      setStep(null);
    }
  };
  const make = async (draft: Draft): Promise<MadeVersion> => {
    const made = await madeVersion(draft, { onStep: setStep, onScript: (exists) => onMade({ exists }) });
    // What was said is said of a version that was made of it.
    onMade({ exists: true, made, ...(made !== draft.made && { message: '' }) });
    return made;
  };

  return {
    step,
    problem,
    save: (draft) => attempt(() => make(draft)),
    publish: (draft, expectedVersion) =>
      attempt(async () => {
        const { number } = await make(draft);
        setStep('Publishing');
        const { data } = await publishingPublish({
          path: { slug: draft.slug },
          body: { version: number, ...(expectedVersion !== undefined && { expectedVersion }) },
        });
        return { version: number, requestId: 'approval' in data ? data.approval.id : null };
      }),
  };
}
