import type { QuietHours } from '../alert.conditions.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Clocks may be changed meanwhile: it is looked again after as many minutes. */
const STEP_MINUTES = 60;
const MOST_MINUTES = 26 * 60;

/** `HH:MM` of a clock in that zone, in minutes since midnight. */
function minuteOf(instant: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return minutesOf(format.format(instant));
}

function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

/** Until when messages wait that would be sent at that instant; the instant itself where it is not quiet. */
export function quietUntil(instant: Date, quiet: QuietHours | null): Date {
  if (quiet === null) return instant;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES;
  const isQuiet = (minute: number): boolean => (minute - from + DAY_MINUTES) % DAY_MINUTES < length;
  let until = instant;
  for (let waited = 0; waited < MOST_MINUTES;) {
    const minute = minuteOf(until, quiet.timeZone);
    if (!isQuiet(minute)) return until;
    const left = Math.min((to - minute + DAY_MINUTES) % DAY_MINUTES, STEP_MINUTES);
    waited += left;
    until = new Date(Math.floor(until.getTime() / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS);
  }
  return until;
}
