import { scriptsDetailOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { isProblem } from '../../../api/problem.js';
import { useAct } from '../../../kit/use-act.js';
import type { Draft } from './draft.js';
import { draftOfVersion } from './loaded-draft.js';
import { type TakenIn, takenIn } from './taken-in.js';

export interface NewerVersion {
  slug: string;
  /** What somebody else has published since the draft was begun, 0 where it is unpublished now; null: nothing. */
  number: number | null;
  /** The number that is published as far as the person of the draft knows; 0 for none. */
  expected: number | undefined;
  /** Puts what it changed into the draft. */
  takeIn: () => void;
  /** The draft is to be published over it. */
  goOn: () => void;
  busy: boolean;
  problem: unknown;
  /** What could not simply be put together the last time. */
  taken: Pick<TakenIn, 'marked' | 'kept'> | null;
  /** Reads again what is published. */
  look: () => Promise<unknown>;
}

/** Compares what a draft was made of with what is published now. */
export function useNewerVersion(
  draft: Draft,
  change: (change: (draft: Draft) => Draft) => void,
): NewerVersion {
  const { slug, base, exists, made } = draft;
  const { data: script, refetch } = useQuery({
    ...scriptsDetailOptions({ path: { slug } }),
    enabled: exists && base !== null,
  });
  const [taken, setTaken] = useState<NewerVersion['taken']>(null);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const now = script?.publishedVersion ?? 0;
  const isNewer = script !== undefined && base !== null && now !== base.published && now !== made?.number;
  const { run, busy, problem } = useAct(async () => {
    if (!script || !base) return;
    const [before, after] = await Promise.all([
      draftOfVersion(script, base.version),
      draftOfVersion(script, now),
    ]);
    const old = { ...before.draft, settings: { ...before.draft.settings, readme: base.readme } };
    const { draft: merged, marked, kept } = takenIn(latest.current, old, after.draft);
    change(() => merged);
    setTaken({ marked, kept });
  });
  const goOn = (): void =>
    change((current) => ({ ...current, base: current.base && { ...current.base, published: now } }));
  return {
    slug,
    number: isNewer ? now : null,
    expected: base === null ? undefined : isNewer || !script ? base.published : now,
    takeIn: () => void run(),
    goOn,
    busy,
    problem,
    taken,
    look: refetch,
  };
}

/** Whether publishing was refused because another version is published than was expected. */
export function isOverNewer(problem: unknown): boolean {
  return isProblem(problem, 'conflict') && problem.at('expectedVersion') !== undefined;
}
