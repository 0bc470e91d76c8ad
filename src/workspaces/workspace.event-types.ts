import { ROLES } from '../core/access/index.js';
import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

const ROLE = { type: 'string', enum: ROLES };
const PERSON = { userId: TEXT, email: TEXT, role: ROLE };
const EXAMPLE = { userId: 'usr_01k7q3v5yzf8c9m2n4p6r8t0vy', email: 'ada@example.com', role: 'member' };

@DefinesEventTypes()
export class WorkspaceEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'workspace.member.joined',
      description: 'A person accepted an invitation and is a member now.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'member' },
      schema: eventData(PERSON),
      example: EXAMPLE,
    },
    {
      type: 'workspace.member.removed',
      description: 'A member was removed or has left; `role` is the one that they had.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'member' },
      schema: eventData(PERSON),
      example: EXAMPLE,
    },
    {
      type: 'workspace.member.role_changed',
      description: 'A member got another role.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'member' },
      schema: eventData({ ...PERSON, previousRole: ROLE }),
      example: { ...EXAMPLE, role: 'admin', previousRole: 'member' },
    },
    {
      type: 'workspace.invitation.created',
      description: 'A person was invited. A `role` of null means member.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'admin' },
      schema: eventData({
        invitationId: TEXT,
        email: TEXT,
        role: { type: ['string', 'null'], enum: [...ROLES, null] },
      }),
      example: { invitationId: 'inv_01k7q3v5yzf8c9m2n4p6r8t0vz', email: 'ada@example.com', role: null },
    },
  ];
}
