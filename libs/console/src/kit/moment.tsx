import { useSyncExternalStore } from 'react';

import { LOCALE } from './locale.js';

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const number = new Intl.NumberFormat(LOCALE);
const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' });

/**
 * An instant as people say it (`5 minutes ago`), with the exact one on hover. Keeps up with the clock. The title is the
 * browser's own, since a list has a hundred of these.
 */
export function Moment({ at }: { at: string }) {
  const text = useSyncExternalStore(everyHalfMinute, () => relativeTime(at));
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {text}
    </time>
  );
}

export function relativeTime(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 5 ? `in ${Math.round(seconds)} seconds` : 'just now';
}

/** `850 ms`, `3.2 s`, `30 s`, `4 min 10 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${number.format(Math.floor(ms / 100) / 10)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all that is shown. */
export function everyHalfMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((tell) => tell()), 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
