import { ApprovalAction, type ApprovalActionProvider, asBody } from '../../approvals/index.js';
import { APPROVAL_POLICIES, type ApprovalPolicy, type WorkspaceCaller } from '../../core/access/index.js';
import { EnvironmentInput } from '../environment.dto.js';
import { EnvironmentsService } from '../environments.service.js';
import { environmentFields } from './environment-fields.js';

interface Input {
  name: string;
  approvalPolicy: ApprovalPolicy;
  agentsAllowed: boolean;
}

@ApprovalAction()
export class CreateEnvironmentAction implements ApprovalActionProvider<Input> {
  readonly id = 'environment.create';
  readonly title = 'Make an environment';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      approvalPolicy: { enum: APPROVAL_POLICIES, default: 'none' },
      agentsAllowed: { type: 'boolean', default: true },
    },
    required: ['name'],
    additionalProperties: false,
  };

  constructor(private readonly environments: EnvironmentsService) {}

  async summarise(input: Input): Promise<string> {
    const { name } = await asBody(EnvironmentInput, input);
    return `Make the environment ${name}: ${environmentFields(input)}.`;
  }

  async perform(input: Input, approver: WorkspaceCaller) {
    return { result: { ...(await this.environments.create(approver, input)) } };
  }
}
