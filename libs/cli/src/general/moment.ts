import { WrongUse } from '../failure/command-failure.js';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A moment as a person gives it: a date, with a time or without, or how long ago it was. @param option for what is said */
export function momentOf(option: string, text: string, now = Date.now()): string {
  return moment(option, text, (span) => now - span);
}

/** The same for a moment to come: a date, or in how long it is. */
export function endOf(option: string, text: string, now = Date.now()): string {
  return moment(option, text, (span) => now + span);
}

function moment(option: string, text: string, from: (span: number) => number): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const at =
    unit === undefined
      ? /^\d{4}-\d\d-\d\d/.test(text)
        ? Date.parse(text)
        : NaN
      : from(Number(count) * UNITS[unit]!);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new WrongUse(
    `${option}: "${text}" is no time.`,
    'Give one such as 30m, 2h, 7d, 2026-01-31 or 2026-01-31T12:00:00Z',
  );
}
