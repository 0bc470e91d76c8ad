import { ValidateBy } from 'class-validator';

import { asSeconds } from './durations.js';

/** Characters that change the direction of a text are allowed: who puts a name into a sentence isolates it. */
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;
const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/** Why a text is no name of one line, or null. Its length is checked elsewhere. */
export function lineProblem(text: string): string | null {
  if (BREAKS_LINE.test(text)) return 'must not contain control characters or line breaks';
  if (text.length > 0 && text.trim() === '') return 'must not be blank';
  return null;
}

/** Why a text of several lines cannot be stored or displayed, or null. Its length is checked elsewhere. */
export function textProblem(text: string): string | null {
  if (/[^\P{Cc}\n\t]/u.test(text))
    return 'must not contain control characters other than line breaks and tabs';
  if (text.length > 0 && text.trim() === '') return 'must not be blank';
  return null;
}

/** Whether a text is a moment in ISO 8601 with its offset from UTC, on a day that exists. */
export function isTimestamp(text: string): boolean {
  const [, year, month, day, hour, minute, second, offsetHour, offsetMinute] =
    TIMESTAMP.exec(text)?.map(Number) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(year, month! - 1, day));
  date.setUTCFullYear(year);
  const exists = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day;
  const inRange =
    hour! < 24 && minute! < 60 && (second || 0) < 60 && (offsetHour || 0) < 24 && (offsetMinute || 0) < 60;
  return exists && inRange;
}

/** A name or title of one line, with something to see in it. */
export function IsLine(): PropertyDecorator {
  return isTextWithout('isLine', lineProblem);
}

/** A text of one or more lines, with something to see in it. */
export function IsText(): PropertyDecorator {
  return isTextWithout('isText', textProblem);
}

function isTextWithout(name: string, problemOf: (text: string) => string | null): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && problemOf(value) === null,
      defaultMessage: (argument) =>
        (typeof argument?.value === 'string' && problemOf(argument.value)) || 'must be a string',
    },
  });
}

/** A moment such as `2030-01-31T12:00:00.000Z` or, from now on, `2h`: see `momentOf`. */
export function IsMoment(): PropertyDecorator {
  return ValidateBy({
    name: 'isMoment',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && (isTimestamp(value) || typeof asSeconds(value) === 'number'),
      defaultMessage: () =>
        'must be a timestamp such as 2030-01-31T12:00:00.000Z, or a time from now such as 2h',
    },
  });
}

/** A moment such as `2030-01-31T12:00:00.000Z`. */
export function IsTimestamp(): PropertyDecorator {
  return ValidateBy({
    name: 'isTimestamp',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimestamp(value),
      defaultMessage: () => 'must be a timestamp such as 2030-01-31T12:00:00.000Z',
    },
  });
}
