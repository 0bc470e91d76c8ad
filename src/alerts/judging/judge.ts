import { inlineText } from '../../notifications/index.js';
import type { AlertCondition } from '../alert.conditions.js';
import type { AlertRule } from '../alert-rule.entity.js';
import type { AlertSighting } from './alert-sighting.entity.js';
import type { ToldEvent } from '../sending/alert-queue.js';
import type { AlertState } from './alert-state.entity.js';

export type JudgedRule = Pick<AlertRule, 'on' | 'slow' | 'notSucceededFor' | 'lastSuccessAt' | 'deadlineAt'>;
export type RunState = Pick<AlertState, 'failing' | 'eventId'>;
export type Sighting = Pick<AlertSighting, 'eventId' | 'type' | 'data' | 'at'>;

/** What comes of one event. */
export interface Judgement {
  events: ToldEvent[];
  /** null: as before. */
  state: RunState | null;
  /** A success that `notSucceededFor` waited for. */
  succeededAt: Date | null;
}

/**
 * What a rule makes of an event.
 *
 * @param before how the newest run of its script in its environment ended; null: it is the first one
 * @param usualMs what a run of it takes at the 95th percentile; null: too few are known
 */
export function judge(
  rule: JudgedRule,
  sighting: Sighting,
  before: RunState | null,
  usualMs: number | null,
): Judgement {
  const { type, data, at, eventId } = sighting;
  const incident = data.script
    ? runStateKey({ scriptId: data.script.id, environmentId: data.environmentId ?? '' })
    : `${type}/${data.name}`;
  const event = (condition: AlertCondition, text: string, incidents = [incident]): ToldEvent => ({
    event: {
      condition,
      text,
      error: data.error,
      script: data.script && { slug: data.script.slug, name: data.script.name },
      runId: data.runId,
      at: at.toISOString(),
    },
    incidents,
  });
  const name = inlineText(data.script?.name ?? data.name ?? '');
  switch (type) {
    case 'run.unplaceable':
      return told(event('run.unplaceable', `A run of ${name} waits for a worker that is not there`));
    case 'schedule.missed':
      return told(event('schedule.missed', `A schedule of ${name} was missed ${timesText(data.count ?? 1)}`));
    case 'webhook_endpoint.disabled':
      return told(event('endpoint.disabled', `The webhook endpoint ${name} was switched off`));
    case 'hook.refused':
      return told(event('hook.refused', `The hook ${name} refused a request`));
    case 'error.new':
      return told(event('error.new', `${name} failed in a new way`));
    case 'error.returned':
      return told(event('error.new', `An error of ${name} has returned`));
    case 'run.failed':
    case 'run.succeeded':
  }
  const failing = type === 'run.failed';
  const isNews = before === null || before.eventId < eventId;
  const turns = isNews && failing !== (before?.failing ?? false);
  const events: ToldEvent[] = [];
  if (failing && turns && rule.on.includes('firstFailure')) {
    events.push(event('firstFailure', `${name} failed${before === null ? '' : ', after it had succeeded'}`));
  } else if (failing && rule.on.includes('failed')) {
    events.push(event('failed', `${name} failed`));
  }
  const waitsInVain = rule.notSucceededFor !== null && rule.deadlineAt === null && at > rule.lastSuccessAt;
  if (!failing && (turns || waitsInVain) && rule.on.includes('recovered')) {
    const ended = [...(turns ? [incident] : []), ...(waitsInVain ? [overdueIncident(data.script!.id)] : [])];
    events.push(event('recovered', `${name} succeeded again`, ended));
  }
  const slowness = slownessOf(rule, data.durationMs, usualMs);
  if (slowness !== null) events.push(event('slow', `${name} ${slowness}`));
  return {
    events,
    state: isNews ? { failing, eventId } : null,
    succeededAt: !failing && rule.notSucceededFor !== null ? at : null,
  };
}

/** The one that the clock brings about. */
export function overdueEvent(
  scriptId: string,
  script: { slug: string; name: string } | null,
  seconds: number,
  at: Date,
): ToldEvent {
  const text = `${inlineText(script?.name ?? '')} has not succeeded for ${durationText(seconds)}`;
  const told = { condition: 'notSucceededFor', text, error: null, script, runId: null, at: at.toISOString() };
  return { event: told, incidents: [overdueIncident(scriptId)] };
}

/** What runs of a script in an environment have in common: their state, and their incident. */
export function runStateKey({
  scriptId,
  environmentId,
}: Pick<AlertState, 'scriptId' | 'environmentId'>): string {
  return `${scriptId}/${environmentId}`;
}

/** A script is overdue in any environment. */
const overdueIncident = (scriptId: string): string => `${scriptId}/`;

/** Such as `26h`, in the largest unit that fits. */
export function durationText(seconds: number): string {
  for (const [unit, size] of UNITS) if (seconds % size === 0) return `${seconds / size}${unit}`;
  return `${seconds}s`;
}

const UNITS: readonly [unit: string, seconds: number][] = [
  ['h', 3600],
  ['m', 60],
  ['s', 1],
];

function slownessOf({ slow }: JudgedRule, ms: number | null, usualMs: number | null): string | null {
  if (slow === null || ms === null) return null;
  const took = `took ${secondsText(ms)}`;
  if (slow.seconds !== null && ms > slow.seconds * 1000) return `${took}, longer than ${slow.seconds} s`;
  if (slow.factor !== null && usualMs !== null && ms > usualMs * slow.factor)
    return `${took}, more than ${slow.factor} times the ${secondsText(usualMs)} of 95 % of its runs`;
  return null;
}

const secondsText = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const told = (event: ToldEvent): Judgement => ({ events: [event], state: null, succeededAt: null });
