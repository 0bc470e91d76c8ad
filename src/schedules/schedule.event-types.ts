import {
  DefinesEventTypes,
  eventData,
  type EventTypeSource,
  SLUGGED,
  TEXT,
  TIMESTAMP,
} from '../core/outbox/index.js';

@DefinesEventTypes()
export class ScheduleEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'schedule.missed',
      description:
        'A schedule was due several times while nothing could run it: the latest time runs now, the earlier ones are left out.',
      environmentScoped: true,
      audience: { scope: 'schedules:read', role: 'member', about: { kind: 'schedule', path: 'scheduleId' } },
      schema: eventData({
        scheduleId: TEXT,
        script: SLUGGED,
        from: { ...TIMESTAMP, description: 'The first time that was left out.' },
        to: { ...TIMESTAMP, description: 'The last time that was left out.' },
        count: { type: 'integer', minimum: 1 },
      }),
      example: {
        scheduleId: 'sch_01k7q3v5yzf8c9m2n4p6r8t0vw',
        script: { id: 'scr_01k7q3v5yzf8c9m2n4p6r8t0vx', slug: 'nightly-report', name: 'Nightly report' },
        from: '2026-01-31T12:00:00.000Z',
        to: '2026-01-31T12:55:00.000Z',
        count: 12,
      },
    },
    {
      type: 'schedule.disabled',
      description: 'A schedule was switched off, since its runs could not be started any more.',
      environmentScoped: true,
      audience: { scope: 'schedules:read', role: 'member', about: { kind: 'schedule', path: 'id' } },
      schema: eventData({ id: TEXT, name: TEXT, reason: TEXT }),
      example: {
        id: 'sch_01k7q3v5yzf8c9m2n4p6r8t0vw',
        name: 'Every morning',
        reason: 'the script nightly-report is archived',
      },
    },
  ];
}
