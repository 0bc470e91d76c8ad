import { type ErrorDetail, InvalidRequest } from '../core/errors/index.js';
import { asSeconds } from '../core/http/index.js';
import { zoneName } from '../schedules/index.js';
import { OF_THE_WORKSPACE, type NamedCondition, type QuietHours, type Slow } from './alert.conditions.js';

const CLOCK = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const LEAST_SECONDS = 60;
const MOST_SECONDS = 366 * 86_400;
const SLOW_LIMITS = [
  ['seconds', 604_800],
  ['factor', 100],
] as const;

/** What a rule tells of, as it is stored. */
export interface AlertWatch {
  on: NamedCondition[];
  slow: Slow | null;
  notSucceededFor: number | null;
}

/** @throws InvalidRequest naming each field of `slow` that is wrong */
export function parseSlow(given: object | null): Slow | null {
  if (given === null) return null;
  const details: ErrorDetail[] = [];
  const slow: Record<string, unknown> = { seconds: null, factor: null, ...given };
  for (const field of Object.keys(slow)) {
    const limit = SLOW_LIMITS.find(([name]) => name === field);
    const value = (slow[field] = field === 'seconds' ? asSeconds(slow[field]) : slow[field]);
    const path = `slow.${field}`;
    if (!limit) details.push({ path, message: 'is not known' });
    else if (value !== null && !isWithin(value, limit[1], field === 'seconds'))
      details.push({ path, message: `must be a number from 1 to ${limit[1]}` });
  }
  if (details.length === 0 && slow['seconds'] === null && slow['factor'] === null)
    details.push({ path: 'slow', message: 'needs seconds or a factor' });
  if (details.length > 0) throw InvalidRequest.listing(details);
  return slow as unknown as Slow;
}

function isWithin(value: unknown, most: number, whole: boolean): boolean {
  return typeof value === 'number' && value >= 1 && value <= most && (!whole || Number.isInteger(value));
}

/** @throws InvalidRequest where it is too short or too long */
export function checkNotSucceededFor(seconds: number | null): number | null {
  if (seconds === null || (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS)) return seconds;
  throw InvalidRequest.at('notSucceededFor', 'must be from a minute to a year, such as 26h');
}

/** @throws InvalidRequest naming each field of `quietHours` that is wrong */
export function parseQuietHours(given: object | null): QuietHours | null {
  if (given === null) return null;
  const details: ErrorDetail[] = [];
  const { from, to, timeZone, ...unknown } = given as Record<string, unknown>;
  for (const [field, value] of Object.entries({ from, to })) {
    if (typeof value !== 'string' || !CLOCK.test(value))
      details.push({ path: `quietHours.${field}`, message: 'must be a time such as 22:00' });
  }
  const zone = typeof timeZone === 'string' ? zoneName(timeZone) : null;
  if (zone === null)
    details.push({
      path: 'quietHours.timeZone',
      message: 'must be the name of an IANA time zone, such as Europe/Berlin',
    });
  for (const field of Object.keys(unknown))
    details.push({ path: `quietHours.${field}`, message: 'is not known' });
  if (details.length === 0 && from === to)
    details.push({
      path: 'quietHours.to',
      message: 'must differ from `from`: a rule can be disabled instead',
    });
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { from: from as string, to: to as string, timeZone: zone! };
}

/** @throws InvalidRequest where a rule would tell of nothing, or could not tell of it */
export function assertTells({ on, slow, notSucceededFor }: AlertWatch, scriptId: string | null): void {
  if (on.length === 0 && slow === null && notSucceededFor === null)
    throw InvalidRequest.at('on', 'must name a condition, unless there is slow or notSucceededFor');
  if (notSucceededFor !== null && scriptId === null)
    throw InvalidRequest.at('notSucceededFor', 'takes a script or a schedule');
  const place = on.findIndex((condition) => scriptId !== null && OF_THE_WORKSPACE.includes(condition));
  if (place !== -1)
    throw InvalidRequest.at(`on.${place}`, 'is about no script: it takes a rule of the whole workspace');
}
