import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';

import type { Draft } from './draft.js';
import { forgetDraft, storeDraft, storedDraft } from './draft-store.js';
import { type EditedAt, useDraftLock } from './use-draft-lock.js';

const PAUSE_MS = 400;

export interface StoredDraft {
  /** In another tab it may be edited meanwhile: then it is only read here. */
  editedAt: EditedAt;
  /** Edits it here from now on. */
  takeOver: () => void;
  /** Whether it has been looked up. */
  ready: boolean;
  draft: Draft | null;
  /** Whether it is from an earlier visit. */
  restored: boolean;
  /** Begins with this draft; without `keep` it is kept from its first change on. */
  begin: (draft: Draft, options?: { keep: boolean }) => void;
  change: (change: (draft: Draft) => Draft) => void;
  /** It is done, or not wanted any more. */
  forget: () => Promise<void>;
}

/**
 * A draft that outlives the page: each change is kept in this browser a moment later. Leaving is only held up while a
 * change has not been kept, or where the browser keeps nothing.
 */
export function useStoredDraft(key: string): StoredDraft {
  const [ready, setReady] = useState(false);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [restored, setRestored] = useState(false);
  const unsaved = useRef<Draft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keepsNothing = useRef(false);
  const { editedAt, takeOver } = useDraftLock(`gatehouse-draft ${key}`);
  /** For what was begun while it was edited here, and ends when it no longer is. */
  const isHere = useRef(false);

  // Who edits it goes on with what was kept last; who has lost it keeps nothing any more.
  useEffect(() => {
    let current = true;
    isHere.current = editedAt === 'here';
    if (editedAt === null) return undefined;
    if (editedAt === 'elsewhere') {
      clearTimeout(timer.current);
      unsaved.current = null;
    }
    storedDraft(key)
      .catch(() => null)
      .then((found) => {
        if (!current) return;
        setDraft(found);
        setRestored(found !== null);
        setReady(true);
      })
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [key, editedAt]);

  const save = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    const saving = unsaved.current;
    if (!saving) return;
    try {
      await storeDraft(key, saving);
      if (unsaved.current === saving) unsaved.current = null;
    } catch {
      keepsNothing.current = true;
    }
  }, [key]);

  // What was typed last is kept also when the person goes to another page of the console.
  useEffect(() => () => void save(), [save]);

  const change = useCallback(
    (apply: (draft: Draft) => Draft): void => {
      if (!isHere.current) return;
      setDraft((before) => {
        if (!before) return before;
        unsaved.current = apply(before);
        return unsaved.current;
      });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), PAUSE_MS);
    },
    [save],
  );

  const begin = useCallback(
    (first: Draft, { keep } = { keep: false }): void => {
      setDraft(first);
      setRestored(false);
      if (!keep) return;
      unsaved.current = first;
      void save();
    },
    [save],
  );

  const forget = useCallback(async (): Promise<void> => {
    if (!isHere.current) return;
    clearTimeout(timer.current);
    unsaved.current = null;
    setDraft(null);
    setRestored(false);
    await forgetDraft(key).catch(() => undefined);
  }, [key]);

  useBlocker({
    shouldBlockFn: () =>
      keepsNothing.current &&
      unsaved.current !== null &&
      !window.confirm('This browser keeps no drafts: what you changed is lost if you leave. Leave?'),
    enableBeforeUnload: () => unsaved.current !== null,
  });

  return { editedAt, takeOver, ready, draft, restored, begin, change, forget };
}
