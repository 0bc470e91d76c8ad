import { useDeferredValue, useEffect, useMemo, useReducer, useState } from 'react';

import type { LineRange } from './line-ranges.js';
import { LineSearch } from './line-search.js';
import { PatternSearch } from './pattern-search.js';

export interface LogSearch {
  typed: string;
  onTyped: (typed: string) => void;
  isPattern: boolean;
  onPattern: (isPattern: boolean) => void;
  /** The positions of the lines that match; null: nothing is searched. */
  hits: readonly number[] | null;
  /** The text that is marked in each line, where it is no expression. */
  text: string;
  /** Where an expression matches in a line. */
  ranges: ReadonlyMap<number, readonly LineRange[]> | null;
  /** Why an expression finds nothing. */
  problem: string | null;
}

/** Searches a log for a text or a regular expression while it grows. */
export function useLogSearch(lines: readonly string[], count: number): LogSearch {
  const [typed, onTyped] = useState('');
  const [isPattern, onPattern] = useState(false);
  const search = useDeferredValue(typed.trim());
  // Their positions are of one list of lines.
  const text = useMemo(
    () => (search === '' || isPattern ? null : new LineSearch(search)),
    [search, isPattern, lines],
  );
  const pattern = usePattern(isPattern ? search : '', lines, count);
  return {
    typed,
    onTyped,
    isPattern,
    onPattern,
    hits: text?.update(lines) ?? pattern?.found ?? null,
    text: isPattern ? '' : search,
    ranges: pattern?.ranges ?? null,
    problem: pattern?.problem ?? null,
  };
}

function usePattern(search: string, lines: readonly string[], count: number): PatternSearch | null {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const pattern = useMemo(
    () => (search === '' ? null : new PatternSearch(search, lines, draw)),
    [search, lines],
  );
  useEffect(() => {
    pattern?.open();
    return () => pattern?.close();
  }, [pattern]);
  useEffect(() => pattern?.update(), [pattern, count]);
  return pattern;
}
