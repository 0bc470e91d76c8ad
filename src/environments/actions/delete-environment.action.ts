import {
  type ActionSummary,
  ApprovalAction,
  type ApprovalActionProvider,
  named,
  type PerformedRequest,
} from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { EnvironmentsService } from '../environments.service.js';

interface Input {
  environment: string;
}

@ApprovalAction()
export class DeleteEnvironmentAction implements ApprovalActionProvider<Input> {
  readonly id = 'environment.delete';
  readonly title = 'Delete an environment';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: {
      environment: { type: 'string', minLength: 1, maxLength: 100, description: 'Its name or id.' },
    },
    required: ['environment'],
    additionalProperties: false,
  };

  constructor(private readonly environments: EnvironmentsService) {}

  async summarise({ environment }: Input, asker: WorkspaceCaller): Promise<ActionSummary> {
    const { id, name } = await named('environment', this.environments.get(asker, environment));
    return { text: `Delete the environment ${name} with all of its secret values.`, about: id };
  }

  /** By its id, since another environment may have its name by now. */
  async perform({ environment }: Input, approver: WorkspaceCaller, { about }: PerformedRequest) {
    await this.environments.delete(approver, about!);
    return { result: { environment } };
  }
}
