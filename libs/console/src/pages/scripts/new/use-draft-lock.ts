import { useCallback, useEffect, useRef, useState } from 'react';

/** Where a draft is edited: here, or in another tab of this browser; null before it is known. */
export type EditedAt = 'here' | 'elsewhere' | null;

const hasLocks = 'locks' in navigator;

/**
 * One tab of a browser edits a draft; the others wait until it is closed, or take over. Where the browser has no locks, on
 * pages without HTTPS, each tab edits.
 */
export function useDraftLock(name: string): { editedAt: EditedAt; takeOver: () => void } {
  const [editedAt, setEditedAt] = useState<EditedAt>(hasLocks ? null : 'here');
  const take = useRef<() => void>(() => undefined);

  useEffect(() => {
    if (!hasLocks) return undefined;
    const { locks } = navigator;
    const closed = new AbortController();
    let waiting = new AbortController();
    /** Held until the page is left. It is refused as soon as another tab takes over. */
    const hold = async (): Promise<void> => {
      if (closed.signal.aborted) return;
      setEditedAt('here');
      await new Promise((release) => closed.signal.addEventListener('abort', release));
    };
    const wait = (): void => {
      if (closed.signal.aborted) return;
      setEditedAt('elsewhere');
      waiting = new AbortController();
      const { signal } = waiting;
      locks.request(name, { signal }, hold).catch(() => !signal.aborted && wait());
    };
    take.current = () => {
      waiting.abort();
      locks.request(name, { steal: true }, hold).catch(wait);
    };
    locks.request(name, { ifAvailable: true }, (lock) => (lock ? hold() : wait())).catch(wait);
    return () => {
      closed.abort();
      waiting.abort();
      setEditedAt(null);
    };
  }, [name]);

  const takeOver = useCallback(() => take.current(), []);
  return { editedAt, takeOver };
}
