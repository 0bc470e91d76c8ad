import { ROLES } from '../core/access/index.js';
import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from '../core/outbox/index.js';

const TEXT = { type: 'string' };
const ROLE = { type: 'string', enum: ROLES };
const PERSON = { userId: TEXT, email: TEXT, role: ROLE };
const EXAMPLE = { userId: 'usr_01k7q3v5yzf8c9m2n4p6r8t0vy', email: 'ada@example.com', role: 'member' };

const dataOf = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

@DefinesEventTypes()
export class WorkspaceEventTypes implements EventTypeSource {
  readonly eventTypes: readonly EventTypeDefinition[] = [
    {
      type: 'workspace.member.joined',
      description: 'A person accepted an invitation and is a member now.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'member' },
      schema: dataOf(PERSON),
      example: EXAMPLE,
    },
    {
      type: 'workspace.member.removed',
      description: 'A member was removed or has left; `role` is the one that they had.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'member' },
      schema: dataOf(PERSON),
      example: EXAMPLE,
    },
    {
      type: 'workspace.member.role_changed',
      description: 'A member got another role.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'member' },
      schema: dataOf({ ...PERSON, previousRole: ROLE }),
      example: { ...EXAMPLE, role: 'admin', previousRole: 'member' },
    },
    {
      type: 'workspace.invitation.created',
      description: 'A person was invited. A `role` of null means member.',
      environmentScoped: false,
      audience: { scope: 'workspace.members:read', role: 'admin' },
      schema: dataOf({
        invitationId: TEXT,
        email: TEXT,
        role: { type: ['string', 'null'], enum: [...ROLES, null] },
      }),
      example: { invitationId: 'inv_01k7q3v5yzf8c9m2n4p6r8t0vz', email: 'ada@example.com', role: null },
    },
  ];
}
