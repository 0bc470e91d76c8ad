import {
  DefinesEventTypes,
  type EventAudience,
  type EventTypeDefinition,
  type EventTypeSource,
} from '../core/outbox/index.js';
import { APPROVAL_SUBJECT } from './approval-visibility.js';

const SCHEMA = {
  type: 'object',
  properties: {
    requestId: { type: 'string' },
    action: { type: 'string', description: 'The id of the action.' },
    title: { type: 'string' },
    status: { enum: ['pending', 'approved', 'completed', 'denied', 'failed', 'expired'] },
    runId: { type: ['string', 'null'], description: 'The held run that it is about.' },
    decidedBy: {
      type: ['object', 'null'],
      properties: { userId: { type: 'string' }, name: { type: 'string' } },
      required: ['userId', 'name'],
    },
  },
  required: ['requestId', 'action', 'title', 'status', 'runId', 'decidedBy'],
};

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
  readonly eventTypes: readonly EventTypeDefinition[] = [
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
