import {
  type ActionSummary,
  ApprovalAction,
  type ApprovalActionProvider,
  inlineText,
  named,
} from '../../approvals/index.js';
import { type Role, ROLES, type WorkspaceCaller } from '../../core/access/index.js';
import { MembersService } from '../members/members.service.js';

interface Input {
  memberId: string;
  role: Role;
}

@ApprovalAction()
export class ChangeMemberRoleAction implements ApprovalActionProvider<Input> {
  readonly id = 'member.role.change';
  readonly title = "Change a member's role";
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly givesAccess = true;
  readonly inputSchema = {
    type: 'object',
    properties: {
      memberId: { type: 'string', minLength: 1, description: "The membership's id." },
      role: { enum: ROLES },
    },
    required: ['memberId', 'role'],
    additionalProperties: false,
  };

  constructor(private readonly members: MembersService) {}

  async summarise({ memberId, role }: Input, asker: WorkspaceCaller): Promise<ActionSummary> {
    const { name, email, role: before } = await named('memberId', this.members.get(asker, memberId));
    const text = `Change the role of ${inlineText(name)} (${inlineText(email)}) from ${before} to ${role}.`;
    return { text, about: before };
  }

  async perform({ memberId, role }: Input, approver: WorkspaceCaller) {
    return { result: { ...(await this.members.changeRole(approver, memberId, role)) } };
  }
}
