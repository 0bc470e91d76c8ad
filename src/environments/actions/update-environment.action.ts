import {
  type ActionSummary,
  ApprovalAction,
  type ApprovalActionProvider,
  asBody,
  named,
  type PerformedRequest,
} from '../../approvals/index.js';
import { APPROVAL_POLICIES, type WorkspaceCaller } from '../../core/access/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { EnvironmentPatch } from '../environment.dto.js';
import { EnvironmentsService } from '../environments.service.js';
import { environmentFields } from './environment-fields.js';

type Input = { environment: string } & EnvironmentPatch;

@ApprovalAction()
export class UpdateEnvironmentAction implements ApprovalActionProvider<Input> {
  readonly id = 'environment.update';
  readonly title = 'Change an environment';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: {
      environment: { type: 'string', minLength: 1, maxLength: 100, description: 'Its name or id.' },
      name: { type: 'string', minLength: 1, maxLength: 100, description: 'Its new name.' },
      approvalPolicy: { enum: APPROVAL_POLICIES },
      agentsAllowed: { type: 'boolean' },
      isDefault: { const: true, description: 'Makes it the default.' },
    },
    required: ['environment'],
    additionalProperties: false,
  };

  constructor(private readonly environments: EnvironmentsService) {}

  async summarise({ environment, ...input }: Input, asker: WorkspaceCaller): Promise<ActionSummary> {
    const patch = await asBody(EnvironmentPatch, input);
    if (Object.keys(input).length === 0) throw InvalidRequest.at('', 'names nothing to change');
    const { id, name } = await named('environment', this.environments.get(asker, environment));
    const settings = environmentFields(patch);
    const parts = [...(patch.name === undefined ? [] : [`it is called ${patch.name}`]), settings];
    const text = `Change the environment ${name}: ${parts.filter((part) => part !== '').join(', ')}.`;
    return { text, about: id };
  }

  /** By its id, since another environment may have its name by now. */
  async perform({ environment: _, ...patch }: Input, approver: WorkspaceCaller, { about }: PerformedRequest) {
    return { result: { ...(await this.environments.update(approver, about!, patch)) } };
  }
}
