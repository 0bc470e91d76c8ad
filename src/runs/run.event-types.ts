import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from '../core/outbox/index.js';
import { RUN_SUBJECT } from './log/run-visibility.js';
import { RUN_INTERFACES } from './run.status.js';

const TIMESTAMP = { type: 'string', format: 'date-time' };
const TIMESTAMP_OR_NULL = { type: ['string', 'null'], format: 'date-time' };
const TEXT_OR_NULL = { type: ['string', 'null'] };

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
};
const ENDED = { ...EXAMPLE, durationMs: 812, finishedAt: '2026-01-31T12:00:00.900Z' };

const run = (
  name: string,
  status: string,
  description: string,
  example: Record<string, unknown>,
): EventTypeDefinition => ({
  type: `run.${name}`,
  description,
  environmentScoped: true,
  audience: { scope: 'runs:read', role: 'guest', about: { kind: RUN_SUBJECT, path: 'runId' } },
  schema: {
    type: 'object',
    properties: {
      runId: { type: 'string' },
      script: {
        type: 'object',
        properties: { id: { type: 'string' }, slug: { type: 'string' }, name: { type: 'string' } },
        required: ['id', 'slug', 'name'],
      },
      version: { type: 'integer' },
      status: { const: status },
      environment: { type: 'string' },
      interface: { enum: [...RUN_INTERFACES] },
      startedBy: {
        type: 'object',
        properties: { userId: TEXT_OR_NULL, credentialType: TEXT_OR_NULL, credentialName: TEXT_OR_NULL },
        required: ['userId', 'credentialType', 'credentialName'],
      },
      error: TEXT_OR_NULL,
      durationMs: { type: ['integer', 'null'] },
      startedAt: TIMESTAMP,
      finishedAt: TIMESTAMP_OR_NULL,
      test: { type: 'boolean' },
    },
    required: Object.keys({ ...EXAMPLE, status }),
  },
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
    run('succeeded', 'succeeded', 'A run ended well.', ENDED),
    run('failed', 'failed', 'A run ended with an error; `error` says which.', {
      ...ENDED,
      error: 'exit code 3: no such city',
    }),
    run('cancelled', 'cancelled', 'A run was cancelled, or its approval was denied or expired.', ENDED),
  ];
}
