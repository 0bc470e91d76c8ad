import { Transform } from 'class-transformer';

const DURATION = /^[0-9]{1,6}[smhd]$/;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** How a text such as `90s`, `26h` or `2d` is documented. */
const TEXT = { type: 'string', pattern: DURATION.source } as const;

/** `90s`, `26h` or `2d` in seconds. What is no such text stays as it is, for whoever checks it. */
export function asSeconds<Value>(value: Value): Value | number {
  if (typeof value !== 'string' || !DURATION.test(value)) return value;
  return Number(value.slice(0, -1)) * UNITS[value.at(-1)!]!;
}

/** How a moment is documented that may be given from now on. */
export const MOMENT = { oneOf: [{ type: 'string', format: 'date-time' }, TEXT] };

interface NumberForm {
  type: 'integer' | 'number';
  format?: string;
  minimum: number;
  maximum: number;
  default?: number;
  nullable?: boolean;
}

/** How a field is documented that takes a number of seconds or such a text, by the form of the number. */
export function secondsForm({ nullable, default: usual, ...number }: NumberForm) {
  return {
    oneOf: [number, TEXT],
    ...(nullable && { nullable }),
    ...(usual !== undefined && { default: usual }),
  };
}

/** Reads such a text as a number, which further decorators check. */
export function Seconds(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => asSeconds(value));
}

/** A moment: `2030-01-31T12:00:00.000Z` or, from now on, `90s`, `26h` or `2d`. */
export function momentOf(text: string, now: Date): Date {
  const seconds = asSeconds(text);
  return typeof seconds === 'number' ? new Date(now.getTime() + seconds * 1000) : new Date(text);
}
