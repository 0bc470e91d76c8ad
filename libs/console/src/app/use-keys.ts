import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { focusAct, focusSearch, isForPage, stepRow, tickRow } from './keys.js';
import { usePlace, useRights } from './use-place.js';

const SECOND_KEY_MS = 1_500;

const PAGES: Record<string, string> = { h: '', r: 'runs', s: 'scripts', a: 'approvals' };

/** On until the person switches them off: some speak to their computer, or have a reader that uses letters itself. */
export function useLetterKeys() {
  return useLocalStorage({ key: 'gatehouse-keys', defaultValue: true, getInitialValueInEffect: false });
}

interface Keys {
  onHelp: () => void;
  onPalette: () => void;
}

/** Keys of one letter, outside of fields and dialogs. */
export function useKeys(keys: Keys): void {
  const [areOn] = useLetterKeys();
  const place = usePlace();
  const navigate = useNavigate();
  const { edits } = useRights();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!areOn) return;
    let goesUntil = 0;
    const go = (path: string): void =>
      void navigate({ to: `/w/$workspace/$environment/${path}`, params: place });
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isForPage(event)) return;
      const { key } = event;
      const page = PAGES[key];
      if (performance.now() < goesUntil && page !== undefined) {
        goesUntil = 0;
        // Guests have but these two.
        if (edits || page === 'runs' || page === 'scripts') go(page);
      } else if (key === 'g') goesUntil = performance.now() + SECOND_KEY_MS;
      else if (key === '?') latest.current.onHelp();
      else if (key === '/') {
        if (!focusSearch()) latest.current.onPalette();
      } else if (key === 'j') stepRow(1);
      else if (key === 'k') stepRow(-1);
      else if (key === 'x') tickRow();
      else if (key === 'r' || key === 'z') focusAct(key);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [areOn, place.workspace, place.environment, navigate, edits]);
}
