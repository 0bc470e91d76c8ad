import { ValidateBy, type ValidationArguments } from 'class-validator';

import { InvalidCron, parseCron, stepProblem } from './cron/parse-cron.js';
import { zoneName } from './cron/time-zone.js';

const MAX_CRON_CHARACTERS = 100;

/** A cron expression of five fields, or a nickname, that is due at some time. */
export function IsCron(): PropertyDecorator {
  return ValidateBy({
    name: 'isCron',
    validator: {
      validate: (value: unknown) => cronProblem(value) === null,
      defaultMessage: (argument?: ValidationArguments) => cronProblem(argument?.value) ?? '',
    },
  });
}

/** The name of a zone of the IANA database. */
export function IsTimeZone(): PropertyDecorator {
  return ValidateBy({
    name: 'isTimeZone',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && zoneName(value) !== null,
      defaultMessage: () => 'must be the name of an IANA time zone, such as Europe/Berlin',
    },
  });
}

function cronProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length < 1 || value.length > MAX_CRON_CHARACTERS) {
    return `must be 1 to ${MAX_CRON_CHARACTERS} characters`;
  }
  try {
    parseCron(value);
    return stepProblem(value);
  } catch (error) {
    if (error instanceof InvalidCron) return error.message;
    throw error;
  }
}
