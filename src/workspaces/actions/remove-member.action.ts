import { ApprovalAction, type ApprovalActionProvider, inlineText, named } from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { MembersService } from '../members/members.service.js';

interface Input {
  memberId: string;
}

@ApprovalAction()
export class RemoveMemberAction implements ApprovalActionProvider<Input> {
  readonly id = 'member.remove';
  readonly title = 'Remove a member';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: { memberId: { type: 'string', minLength: 1, description: "The membership's id." } },
    required: ['memberId'],
    additionalProperties: false,
  };

  constructor(private readonly members: MembersService) {}

  async summarise({ memberId }: Input, asker: WorkspaceCaller): Promise<string> {
    const { name, email } = await named('memberId', this.members.get(asker, memberId));
    return `Remove ${inlineText(name)} (${inlineText(email)}) from the workspace.`;
  }

  async perform({ memberId }: Input, approver: WorkspaceCaller) {
    const { userId, email } = await this.members.get(approver, memberId);
    await this.members.remove(approver, memberId);
    return { result: { memberId, userId, email } };
  }
}
