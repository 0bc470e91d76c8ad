import {
  DefinesEventTypes,
  eventData,
  type EventTypeSource,
  type NewEvent,
  SLUGGED,
  TEXT,
  TEXT_OR_NULL,
  TIMESTAMP,
} from '../core/outbox/index.js';
import { SCRIPT_SUBJECT } from '../scripts/index.js';
import type { ErrorGroup } from './error-group.entity.js';
import type { FailedRun } from './grouping/error-sightings.repository.js';

const EXAMPLE = {
  errorId: 'err_01k7q3v5yzf8c9m2n4p6r8t0vw',
  title: 'KeyError: <value>',
  exception: 'KeyError',
  place: 'main.py in total_of',
  script: { id: 'scr_01k7q3v5yzf8c9m2n4p6r8t0vx', slug: 'nightly-report', name: 'Nightly report' },
  version: 3,
  environment: 'production',
  runId: 'run_01k7q3v5yzf8c9m2n4p6r8t0vy',
  count: 1,
  firstAt: '2026-01-31T12:00:00.900Z',
  lastAt: '2026-01-31T12:00:00.900Z',
};

const SCHEMA = eventData({
  errorId: TEXT,
  title: TEXT,
  exception: TEXT_OR_NULL,
  place: TEXT_OR_NULL,
  script: SLUGGED,
  version: { type: 'integer' },
  environment: TEXT,
  runId: TEXT,
  count: { type: 'integer', minimum: 1 },
  firstAt: TIMESTAMP,
  lastAt: TIMESTAMP,
});

const ABOUT_ERROR = {
  environmentScoped: true,
  audience: { scope: 'runs:read', role: 'member', about: { kind: SCRIPT_SUBJECT, path: 'script.id' } },
  schema: SCHEMA,
} as const;

@DefinesEventTypes()
export class ErrorEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'error.new',
      description: 'A run failed in a way in which its script had not failed before, in that environment.',
      ...ABOUT_ERROR,
      example: EXAMPLE,
    },
    {
      type: 'error.returned',
      description: 'A run failed with an error that was resolved before, or that is ignored no longer.',
      ...ABOUT_ERROR,
      example: { ...EXAMPLE, count: 12, lastAt: '2026-02-03T12:00:00.900Z' },
    },
  ];
}

export function errorEvent(name: 'new' | 'returned', group: ErrorGroup, run: FailedRun): NewEvent {
  const { id: errorId, title, exception, place, count, firstAt, lastAt } = group;
  return {
    workspaceId: group.workspaceId,
    environmentId: group.environmentId,
    type: `error.${name}`,
    causedByRunId: run.id,
    data: {
      errorId,
      title,
      exception,
      place,
      script: { id: run.scriptId, slug: run.scriptSlug, name: run.scriptName },
      version: run.version,
      environment: run.environment,
      runId: run.id,
      count,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    },
  };
}
