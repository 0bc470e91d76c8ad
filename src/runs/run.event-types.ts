import {
  ACTOR,
  DefinesEventTypes,
  eventData,
  type EventTypeDefinition,
  type EventTypeSource,
  SLUGGED,
  TEXT,
  TEXT_OR_NULL,
  TIMESTAMP,
} from '../core/outbox/index.js';
import type { NewEvent } from '../core/outbox/index.js';
import type { DebouncedRun, StartedRow } from './debounce/debounced-runs.repository.js';
import type { UnplaceableRun } from './placing/run-placing.repository.js';
import { RUN_SUBJECT } from './log/run-visibility.js';
import { RUN_INTERFACES } from './run.status.js';
import { isTrial } from './run.version.js';

const TIMESTAMP_OR_NULL = { ...TEXT_OR_NULL, format: 'date-time' };

const EXAMPLE = {
  runId: 'run_01k7q3v5yzf8c9m2n4p6r8t0vw',
  script: { id: 'scr_01k7q3v5yzf8c9m2n4p6r8t0vx', slug: 'nightly-report', name: 'Nightly report' },
  version: 3,
  environment: 'production',
  interface: 'api',
  startedBy: {
    userId: 'usr_01k7q3v5yzf8c9m2n4p6r8t0vy',
    credentialType: 'pat',
    credentialName: 'laptop',
  },
  error: null,
  durationMs: null,
  startedAt: '2026-01-31T12:00:00.000Z',
  finishedAt: null,
  test: false,
  trial: false,
  labels: { customer: 'acme' },
};
const ENDED = { ...EXAMPLE, durationMs: 812, finishedAt: '2026-01-31T12:00:00.900Z' };

const run = (
  name: string,
  status: string,
  description: string,
  example: Record<string, unknown>,
  more: Record<string, object> = {},
): EventTypeDefinition => ({
  type: `run.${name}`,
  description,
  environmentScoped: true,
  audience: { scope: 'runs:read', role: 'guest', about: { kind: RUN_SUBJECT, path: 'runId' } },
  schema: eventData({
    runId: TEXT,
    script: SLUGGED,
    version: { type: 'integer' },
    status: { const: status },
    environment: TEXT,
    interface: { enum: [...RUN_INTERFACES] },
    startedBy: ACTOR,
    error: TEXT_OR_NULL,
    durationMs: { type: ['integer', 'null'] },
    startedAt: TIMESTAMP,
    finishedAt: TIMESTAMP_OR_NULL,
    test: { type: 'boolean' },
    trial: { type: 'boolean' },
    labels: { type: 'object', additionalProperties: TEXT },
    ...more,
  }),
  example: { ...example, status },
});

@DefinesEventTypes()
export class RunEventTypes implements EventTypeSource {
  readonly eventTypes = [
    run('started', 'running', 'A run was started, or approved, and waits for a worker.', EXAMPLE),
    run(
      'awaiting_approval',
      'awaiting_approval',
      'A run was started and is held until a person approves it.',
      EXAMPLE,
    ),
    run(
      'retrying',
      'running',
      'An attempt of a run did not end well, and another one follows; `error` says why, `nextAttemptAt` when.',
      {
        ...EXAMPLE,
        error: 'exit code 75: try again later',
        durationMs: 812,
        attempt: 1,
        nextAttemptAt: '2026-01-31T12:00:10.900Z',
      },
      { attempt: { type: 'integer' }, nextAttemptAt: TIMESTAMP },
    ),
    run(
      'debounced',
      'running',
      'A further start took the place of a run that waits for such: its inputs and its `startAt` are of the newest of its `starts`.',
      { ...EXAMPLE, startAt: '2026-01-31T12:00:35.000Z', starts: 2 },
      { startAt: TIMESTAMP, starts: { type: 'integer' } },
    ),
    run(
      'moved',
      'running',
      'A run that waits for its time was moved to another one.',
      { ...EXAMPLE, startAt: '2026-01-31T14:00:00.000Z' },
      { startAt: TIMESTAMP },
    ),
    run(
      'unplaceable',
      'running',
      'A run waits for a worker that carries all of the tags in `runsOn`, and none that is running does.',
      { ...EXAMPLE, runsOn: ['eu-vpc'] },
      { runsOn: { type: 'array', items: TEXT } },
    ),
    run('succeeded', 'succeeded', 'A run ended well.', ENDED),
    run('failed', 'failed', 'A run ended with an error; `error` says which.', {
      ...ENDED,
      error: 'exit code 3: no such city',
    }),
    run('cancelled', 'cancelled', 'A run was cancelled, or its approval was denied or expired.', ENDED),
  ];
}

/** A further start has taken the place of a run. */
export function debouncedEvent(
  run: DebouncedRun,
  newest: StartedRow & { startAt: Date; starts: number },
): NewEvent {
  const { startAt, starts } = newest;
  const about = { startAt: startAt.toISOString(), starts };
  return waitingEvent('debounced', { ...newest, ...run, test: false }, about);
}

/** No worker carries the tags of a run. */
export function unplaceableEvent(run: UnplaceableRun): NewEvent {
  return waitingEvent('unplaceable', run, { runsOn: run.runsOn });
}

/** Of a run that has not begun. */
function waitingEvent(
  name: string,
  run: Omit<UnplaceableRun, 'runsOn' | 'plan'>,
  about: Record<string, unknown>,
): NewEvent {
  const { workspaceId, environmentId, scriptId: id, scriptSlug: slug, scriptName } = run;
  const { startedByUserId: userId, credentialType, credentialName } = run;
  return {
    workspaceId,
    environmentId,
    type: `run.${name}`,
    causedByRunId: run.id,
    data: {
      runId: run.id,
      script: { id, slug, name: scriptName },
      version: run.version,
      status: 'running',
      environment: run.environment,
      interface: run.interface,
      startedBy: { userId, credentialType, credentialName },
      error: null,
      durationMs: null,
      startedAt: run.startedAt.toISOString(),
      finishedAt: null,
      test: run.test,
      trial: isTrial(run),
      labels: run.labels,
      ...about,
    },
  };
}
