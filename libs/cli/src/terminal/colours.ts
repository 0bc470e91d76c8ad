import { WriteStream } from 'node:tty';

/** `NO_COLOR` is a promise of many programs: set to anything, there is no colour. */
export const isColoured = (stream: unknown): boolean =>
  !process.env['NO_COLOR'] && stream instanceof WriteStream && process.env['TERM'] !== 'dumb';

const painted =
  (code: number) =>
  (text: string, stream: unknown = process.stderr): string =>
    isColoured(stream) ? `\x1b[${code}m${text}\x1b[0m` : text;

export const red = painted(31);
export const green = painted(32);
export const yellow = painted(33);
export const bold = painted(1);
export const dim = painted(2);

/** Parts a text at the colours that are made here. */
export const COLOUR = /(\x1b\[(?:31|32|33|1|2|0)m)/;
