import {
  type ActionOutcome,
  type ActionSummary,
  ApprovalAction,
  type ApprovalActionProvider,
  asBody,
  inlineText,
  named,
  type PerformedRequest,
} from '../../approvals/index.js';
import { normalizeEmail } from '../../auth/index.js';
import { type Role, ROLES, type WorkspaceCaller } from '../../core/access/index.js';
import { InvitationInput } from '../invitations/invitation.dto.js';
import { InvitationsService } from '../invitations/invitations.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { withArticle } from './role-words.js';

interface Input {
  email: string;
  role: Role | null;
  teamIds: string[];
}

@ApprovalAction()
export class InviteMemberAction implements ApprovalActionProvider<Input> {
  readonly id = 'member.invite';
  readonly title = 'Invite a person';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly givesAccess = true;
  readonly inputSchema = {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 3, maxLength: 254 },
      role: { enum: [...ROLES, null], default: null, description: 'null: a member.' },
      teamIds: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 50,
        default: [],
        description: 'The teams to join besides the default one.',
      },
    },
    required: ['email'],
    additionalProperties: false,
  };

  constructor(
    private readonly invitations: InvitationsService,
    private readonly teams: TeamsService,
  ) {}

  async summarise(input: Input, asker: WorkspaceCaller): Promise<ActionSummary> {
    const { email, role, teamIds = [] } = await asBody(InvitationInput, input);
    const teams = await Promise.all(
      teamIds.map((id, index) => named(`teamIds.${index}`, this.teams.get(asker, id))),
    );
    const names = teams.map(({ name }) => inlineText(name)).join(', ');
    const into = teams.length === 0 ? '' : ` and of the ${teams.length === 1 ? 'team' : 'teams'} ${names}`;
    // If a team is renamed meanwhile, the sentence is no longer true.
    return {
      text: `Invite ${inlineText(normalizeEmail(email))} to become ${withArticle(role ?? 'member')}${into}.`,
      about: names,
    };
  }

  /** Whoever has the link can join. Where no mail can be sent, only the person who approves gets it. */
  async perform(
    input: Input,
    approver: WorkspaceCaller,
    { grantId }: PerformedRequest,
  ): Promise<ActionOutcome> {
    const { link, ...result } = await this.invitations.create(approver, input, grantId);
    return { result, ...(link !== undefined && { forApprover: { link } }) };
  }
}
