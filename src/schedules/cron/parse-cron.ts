import { CronExpressionParser } from 'cron-parser';

import type { CronExpression } from './cron-expression.js';
import { nextWallMinute } from './wall-time.js';

/** What is wrong with an expression, in words that read after the field's name. */
export class InvalidCron extends Error {}

interface Field {
  name: string;
  first: number;
  last: number;
  names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Field[] = [
  { name: 'minute', first: 0, last: 59 },
  { name: 'hour', first: 0, last: 23 },
  { name: 'day of month', first: 1, last: 31 },
  { name: 'month', first: 1, last: 12, names: MONTHS },
  { name: 'weekday', first: 0, last: 7, names: WEEKDAYS },
];

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/**
 * Reads `minute hour day month weekday`, or a nickname such as `@daily`.
 *
 * @throws InvalidCron saying which field is wrong, or that no day fits
 */
export function parseCron(text: string): CronExpression {
  const fields = fieldsOf(text.trim().toLowerCase());
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = fields.map((field, place) =>
    valuesOf(field, place),
  ) as [number[], number[], number[], number[], number[]];
  const [, hour, dayOfMonth, , dayOfWeek] = fields as [string, string, string, string, string];
  const restricted = (field: string): boolean => !field.includes('*');
  const expression: CronExpression = {
    times: hours.flatMap((at) => minutes.map((minute) => at * 60 + minute)),
    daysOfMonth: new Set(daysOfMonth),
    months: new Set(months),
    daysOfWeek: new Set(daysOfWeek.map((day) => day % 7)),
    eitherDay: restricted(dayOfMonth) && restricted(dayOfWeek),
    followsTheClock: /[*/]/.test(hour),
  };
  if (nextWallMinute(expression, 0) === null) throw new InvalidCron('names a date that never comes');
  return expression;
}

function fieldsOf(text: string): string[] {
  if (text.startsWith('@')) {
    const meaning = Object.hasOwn(NICKNAMES, text) ? NICKNAMES[text]! : null;
    if (meaning !== null) return meaning.split(' ');
    throw new InvalidCron(`knows ${Object.keys(NICKNAMES).join(', ')} and no other nickname`);
  }
  const fields = text.split(/\s+/);
  if (fields.length !== FIELDS.length) {
    throw new InvalidCron(`must have 5 fields (minute hour day month weekday); it has ${fields.length}`);
  }
  return fields;
}

/**
 * What is wrong with a step that is longer than its field, which would be due less often than it reads: steps begin again with
 * each hour, day, month or year. null: nothing. Schedules that were stored before this was refused go on.
 */
export function stepProblem(text: string): string | null {
  for (const [place, field] of fieldsOf(text.trim().toLowerCase()).entries()) {
    const { name, first, last } = FIELDS[place]!;
    const [item, step] = /(?:^|,)[^,]*\/(\d+)/g.exec(field) ?? [];
    if (step !== undefined && Number(step) > last - first)
      return `has "${item!.replace(',', '')}" in the ${name} field, whose steps are at most ${last - first}: they begin again with each ${AGAIN[place]}. Write "${first}" for once, or several schedules`;
  }
  return null;
}

const AGAIN = ['hour', 'day', 'month', 'year', 'week'];

/** The items of a list are read one by one, since they may overlap. */
function valuesOf(text: string, place: number): number[] {
  const values = text.split(',').flatMap((item) => {
    const { first, last } = FIELDS[place]!;
    if (item === '*') return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    checkForm(item, FIELDS[place]!);
    return read(item, place);
  });
  return [...new Set(values)].sort((one, other) => one - other);
}

/** The library is laxer than cron: it takes `janfeb`, `JAN` for a weekday, and letters of other dialects. */
function checkForm(item: string, { name, first, last, names }: Field): void {
  const value = `(?:\\d{1,2}${names ? `|${names.join('|')}` : ''})`;
  const match = new RegExp(`^(?:\\*|${value}(?:-${value})?)(?:/(\\d{1,3}))?$`).exec(item);
  if (match && Number(match[1] ?? 1) > 0) return;
  const named = names ? `, names such as ${names[1]}` : '';
  throw new InvalidCron(
    `cannot read "${item}" in the ${name} field: it takes *, ${first}-${last}${named}, ranges, lists and steps`,
  );
}

function read(item: string, place: number): number[] {
  const fields = FIELDS.map((_, index) => (index === place ? item : '*'));
  try {
    // Sunday ends a week as well as it begins one: `fri-sun`.
    const parsed = CronExpressionParser.parse(fields.join(' ').replace('-sun', '-7'), { tz: 'UTC' }).fields;
    const { values } = [parsed.minute, parsed.hour, parsed.dayOfMonth, parsed.month, parsed.dayOfWeek][
      place
    ]!;
    return values.map(Number);
  } catch {
    const { name, first, last } = FIELDS[place]!;
    throw new InvalidCron(
      `has "${item}" in the ${name} field, which takes ascending values from ${first} to ${last}`,
    );
  }
}
