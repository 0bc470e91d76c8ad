import { type KeyboardEvent, useRef, useState } from 'react';

const MOVES: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** Of a row of links one is a stop of the Tab key, at first the last one; the arrow keys go from one to the next. */
export function useArrowStops<Row extends HTMLElement>(count: number) {
  const row = useRef<Row>(null);
  const [stop, setStop] = useState<number | null>(null);
  const last = count - 1;
  const current = Math.min(stop ?? last, last);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = MOVES[event.key]?.(current, last);
    if (next === undefined || next < 0 || next > last) return;
    event.preventDefault();
    row.current?.querySelectorAll<HTMLElement>(':scope a')[next]?.focus();
  };
  return { row, onKeyDown, tabIndexOf: (index: number) => (index === current ? 0 : -1), onFocusOf: setStop };
}
