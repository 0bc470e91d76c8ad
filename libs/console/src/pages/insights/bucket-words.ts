import type { LinkProps } from '@tanstack/react-router';

import type { Place } from '../../api/place.js';
import { LOCALE } from '../../kit/locale.js';
import type { RunListSearch } from '../runs/list/run-list-search.js';
import { UNIT_MS, type Unit } from './insights-search.js';

const day = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const localDay = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' });
const time = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Hours are told where the reader is, days in UTC. */
export function bucketLabel(at: string, by: Unit): string {
  const date = new Date(at);
  return by === 'day' ? day.format(date) : `${localDay.format(date)}, ${time.format(date)}`;
}

/** The same below a chart, where other buckets stand beside it. */
export function bucketShort(at: string, by: Unit, count: number): string {
  const date = new Date(at);
  if (by === 'day') return day.format(date);
  return count > 48 ? localDay.format(date) : time.format(date);
}

type Narrowed = Pick<RunListSearch, 'script' | 'environment' | 'status'>;

/** The runs that were asked for in a bucket. */
export function runsOfBucket(place: Place, at: string, by: Unit, narrowed: Narrowed): LinkProps {
  const until = new Date(Date.parse(at) + UNIT_MS[by]).toISOString();
  return runsBetween(place, { since: at, until, ...narrowed });
}

export function runsBetween(place: Place, search: RunListSearch): LinkProps {
  return { to: '/w/$workspace/$environment/runs', params: place, search };
}
