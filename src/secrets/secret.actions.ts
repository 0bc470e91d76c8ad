import { ApprovalAction, type ApprovalActionProvider, inputOf, named } from '../approvals/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { SecretsService } from './secrets.service.js';

interface Input {
  name: string;
  allEnvironments: boolean;
}

@ApprovalAction()
export class DeleteSecretAction implements ApprovalActionProvider<Input> {
  readonly id = 'secret.delete';
  readonly title = 'Delete a secret';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf(
    { name: { type: 'string', minLength: 1, maxLength: 64 } },
    {
      allEnvironments: {
        type: 'boolean',
        default: false,
        description: 'Its values in all environments, instead of the one in which the request acts.',
      },
    },
  );

  constructor(private readonly secrets: SecretsService) {}

  async summarise({ name, allEnvironments }: Input, asker: WorkspaceCaller) {
    const { values } = await named('name', this.secrets.get(asker, name));
    if (allEnvironments) return `Delete the secret ${name} with its values in all environments.`;
    const { environment } = asker;
    if (!values.some((value) => value.environment === environment.name)) {
      throw InvalidRequest.at('name', `has no value in the environment ${environment.name}`);
    }
    return `Delete the value of the secret ${name} in the environment ${environment.name}.`;
  }

  async perform({ name, allEnvironments }: Input, approver: WorkspaceCaller) {
    await this.secrets.delete(approver, name, allEnvironments);
    return { result: { name } };
  }
}
