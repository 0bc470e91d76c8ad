/** What a rule may name in `on`. */
export const NAMED_CONDITIONS = [
  'failed',
  'firstFailure',
  'recovered',
  'run.unplaceable',
  'schedule.missed',
  'endpoint.disabled',
  'hook.refused',
  'error.new',
] as const;

export type NamedCondition = (typeof NAMED_CONDITIONS)[number];

/** What an alert tells of: those, and what a rule has a number for. */
export type AlertCondition = NamedCondition | 'slow' | 'notSucceededFor';

/** They are about no script, so that a rule of one cannot have them. */
export const OF_THE_WORKSPACE: readonly NamedCondition[] = ['endpoint.disabled', 'hook.refused'];

/** When a run is slow: longer than so many seconds, or than so many times the 95th percentile of those before. */
export interface Slow {
  seconds: number | null;
  factor: number | null;
}

/** Messages wait from `from` to `to`, as a clock in that zone shows: `22:00` to `07:00`. */
export interface QuietHours {
  from: string;
  to: string;
  timeZone: string;
}

/** The events that conditions are about, and what of a rule asks for each. */
export const EVENT_TYPES = [
  'run.failed',
  'run.succeeded',
  'run.unplaceable',
  'schedule.missed',
  'webhook_endpoint.disabled',
  'hook.refused',
  'error.new',
  'error.returned',
] as const;

export type AlertEventType = (typeof EVENT_TYPES)[number];

interface Asking {
  on: readonly NamedCondition[];
  slow: Slow | null;
  notSucceededFor: number | null;
}

/** Whether a rule has to hear of events of a type. */
export function asksFor({ on, slow, notSucceededFor }: Asking, type: AlertEventType): boolean {
  const names = (...conditions: NamedCondition[]): boolean => conditions.some((one) => on.includes(one));
  switch (type) {
    case 'run.failed':
      return names('failed', 'firstFailure', 'recovered') || slow !== null;
    case 'run.succeeded':
      return names('firstFailure', 'recovered') || slow !== null || notSucceededFor !== null;
    case 'run.unplaceable':
      return names('run.unplaceable');
    case 'schedule.missed':
      return names('schedule.missed');
    case 'webhook_endpoint.disabled':
      return names('endpoint.disabled');
    case 'hook.refused':
      return names('hook.refused');
    case 'error.new':
    case 'error.returned':
      return names('error.new');
  }
}
