import { ApprovalAction, type ApprovalActionProvider, asBody, inlineText } from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { TeamInput } from '../teams/team.dto.js';
import { TeamsService } from '../teams/teams.service.js';

@ApprovalAction()
export class CreateTeamAction implements ApprovalActionProvider<TeamInput> {
  readonly id = 'team.create';
  readonly title = 'Make a team';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 100 } },
    required: ['name'],
    additionalProperties: false,
  };

  constructor(private readonly teams: TeamsService) {}

  async summarise(input: TeamInput): Promise<string> {
    const { name } = await asBody(TeamInput, input);
    return `Make the team ${inlineText(name)}.`;
  }

  async perform(input: TeamInput, approver: WorkspaceCaller) {
    return { result: { ...(await this.teams.create(approver, input)) } };
  }
}
