import {
  ApprovalAction,
  type ApprovalActionProvider,
  asBody,
  inputOf,
  named,
  type PerformedRequest,
} from '../approvals/index.js';
import { inlineText, nameText } from '../notifications/index.js';
import { normalizeEmail } from '../auth/index.js';
import { type Role, ROLES, type WorkspaceCaller } from '../core/access/index.js';
import { InvitationInput } from './invitations/invitation.dto.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersService } from './members/members.service.js';
import { TeamsService } from './teams/teams.service.js';

const MEMBER_ID = { type: 'string', minLength: 1, description: "The membership's id." };

type InviteMemberInput = Required<InvitationInput>;

@ApprovalAction()
export class InviteMemberAction implements ApprovalActionProvider<InviteMemberInput> {
  readonly id = 'member.invite';
  readonly title = 'Invite a person';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly givesAccess = true;
  readonly inputSchema = inputOf(
    { email: { type: 'string', minLength: 3, maxLength: 254 } },
    {
      role: { enum: [...ROLES, null], default: null, description: 'null: a member.' },
      teamIds: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 50,
        default: [],
        description: 'The teams to join besides the default one.',
      },
    },
  );

  constructor(
    private readonly invitations: InvitationsService,
    private readonly teams: TeamsService,
  ) {}

  async summarise(input: InviteMemberInput, asker: WorkspaceCaller) {
    const { email, role, teamIds = [] } = await asBody(InvitationInput, input);
    const teams = await Promise.all(
      teamIds.map((id, index) => named(`teamIds.${index}`, this.teams.get(asker, id))),
    );
    const names = teams.map(({ name }) => nameText(name)).join(', ');
    const into = teams.length === 0 ? '' : ` and of the ${teams.length === 1 ? 'team' : 'teams'} ${names}`;
    // If a team is renamed meanwhile, the sentence is no longer true.
    return {
      text: `Invite ${inlineText(normalizeEmail(email))} to become ${withArticle(role ?? 'member')}${into}.`,
      about: names,
    };
  }

  /** Whoever has the link can join. Where no mail can be sent, only the person who approves gets it. */
  async perform(input: InviteMemberInput, approver: WorkspaceCaller, { grantId }: PerformedRequest) {
    const { link, ...result } = await this.invitations.create(approver, input, grantId);
    return { result, ...(link !== undefined && { forApprover: { link } }) };
  }
}

interface ChangeMemberRoleInput {
  memberId: string;
  role: Role;
}

@ApprovalAction()
export class ChangeMemberRoleAction implements ApprovalActionProvider<ChangeMemberRoleInput> {
  readonly id = 'member.role.change';
  readonly title = "Change a member's role";
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly givesAccess = true;
  readonly inputSchema = inputOf({ memberId: MEMBER_ID, role: { enum: ROLES } });

  constructor(private readonly members: MembersService) {}

  async summarise({ memberId, role }: ChangeMemberRoleInput, asker: WorkspaceCaller) {
    const { name, email, role: before } = await named('memberId', this.members.get(asker, memberId));
    const text = `Change the role of ${nameText(name)} (${inlineText(email)}) from ${before} to ${role}.`;
    return { text, about: before };
  }

  async perform({ memberId, role }: ChangeMemberRoleInput, approver: WorkspaceCaller) {
    return { result: { ...(await this.members.changeRole(approver, memberId, role)) } };
  }
}

interface RemoveMemberInput {
  memberId: string;
}

@ApprovalAction()
export class RemoveMemberAction implements ApprovalActionProvider<RemoveMemberInput> {
  readonly id = 'member.remove';
  readonly title = 'Remove a member';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf({ memberId: MEMBER_ID });

  constructor(private readonly members: MembersService) {}

  async summarise({ memberId }: RemoveMemberInput, asker: WorkspaceCaller) {
    const { name, email } = await named('memberId', this.members.get(asker, memberId));
    return `Remove ${nameText(name)} (${inlineText(email)}) from the workspace.`;
  }

  async perform({ memberId }: RemoveMemberInput, approver: WorkspaceCaller) {
    const { userId, email } = await this.members.get(approver, memberId);
    await this.members.remove(approver, memberId);
    return { result: { memberId, userId, email } };
  }
}

function withArticle(role: Role): string {
  return role === 'admin' || role === 'owner' ? `an ${role}` : `a ${role}`;
}
