import {
  DefinesEventTypes,
  type EventAudience,
  eventData,
  type EventTypeSource,
  TEXT,
  TEXT_OR_NULL,
} from '../core/outbox/index.js';
import { APPROVAL_SUBJECT } from './approval-visibility.js';

const SCHEMA = eventData({
  requestId: TEXT,
  action: { ...TEXT, description: 'The id of the action.' },
  title: TEXT,
  status: { enum: ['pending', 'approved', 'completed', 'denied', 'failed', 'expired'] },
  runId: {
    ...TEXT_OR_NULL,
    description: 'The run that it is about: a held one, or the one of which a request waits.',
  },
  decidedBy: { ...eventData({ userId: TEXT, name: TEXT }), type: ['object', 'null'] },
});

const EXAMPLE = {
  requestId: 'apr_01k2m3n4p5q6r7s8t9v0w1x2y3',
  action: 'member.invite',
  title: 'Invite a person',
  status: 'pending',
  runId: null,
  decidedBy: null,
};

const AUDIENCE: EventAudience = {
  scope: 'workspace.approvals:read',
  role: 'member',
  about: { kind: APPROVAL_SUBJECT, path: 'requestId' },
};

@DefinesEventTypes()
export class ApprovalEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'approval.requested',
      description: 'Somebody asked for something that a person has to approve.',
      environmentScoped: false,
      audience: AUDIENCE,
      schema: SCHEMA,
      example: EXAMPLE,
    },
    {
      type: 'approval.decided',
      description: 'A request was approved, denied, or expired without a decision.',
      environmentScoped: false,
      audience: AUDIENCE,
      schema: SCHEMA,
      example: {
        ...EXAMPLE,
        status: 'completed',
        decidedBy: { userId: 'usr_01k2m3n4p5q6r7s8t9v0w1x2y4', name: 'Ana Ruiz' },
      },
    },
  ];
}
