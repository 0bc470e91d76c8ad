import { DECIMAL_POINT, LOCALE } from '../locale.js';

/** How the time of each line is shown. */
export const TIME_KINDS = { off: 'No times', relative: 'Since the start', absolute: 'Time of day' } as const;
export type TimeKind = keyof typeof TIME_KINDS;

const OF_DAY = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 1,
  hourCycle: 'h23',
});

/** `14:03:22.1`, by the reader's clock. */
export function timeOfDay(time: number): string {
  return OF_DAY.format(time);
}

/** `0.3`, `12.0`, `2:03.1`, `1:02:03.4`: minutes and hours where there are some. */
export function timeSince(time: number, start: number): string {
  const tenths = Math.max(0, Math.floor((time - start) / 100));
  const seconds = Math.floor(tenths / 10);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${seconds % 60}${DECIMAL_POINT}${tenths % 10}`;
  if (seconds < 60) return rest;
  const exact = rest.padStart(4, '0');
  return hours === 0 ? `${minutes}:${exact}` : `${hours}:${String(minutes).padStart(2, '0')}:${exact}`;
}
