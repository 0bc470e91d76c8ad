import {
  type ActionSummary,
  ApprovalAction,
  type ApprovalActionProvider,
  asBody,
  inlineText,
  type PerformedRequest,
} from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { EnvironmentsService } from '../../environments/index.js';
import { ApiKeyInput } from '../api-key.dto.js';
import { ApiKeysService } from '../api-keys.service.js';

interface Input {
  name: string;
  environment?: string | null;
}

@ApprovalAction()
export class CreateApiKeyAction implements ApprovalActionProvider<Input> {
  readonly id = 'api_key.create';
  readonly title = 'Make an API key';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly secret = { name: 'API key', envVar: 'GATEHOUSE_API_KEY' };
  readonly inputSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100, description: 'What the key is for.' },
      environment: {
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 100,
        description: 'The name of the environment that it is bound to; null or absent for all.',
      },
    },
    required: ['name'],
    additionalProperties: false,
  };

  constructor(
    private readonly keys: ApiKeysService,
    private readonly environments: EnvironmentsService,
  ) {}

  async summarise(
    input: Input,
    { workspace, environment: own, bound }: WorkspaceCaller,
  ): Promise<ActionSummary> {
    const { name, environment = null } = await asBody(ApiKeyInput, input);
    if (environment === null)
      return { text: `Make the API key ${inlineText(name)}, which acts as an admin in every environment.` };
    const isUnseen = bound && environment !== own.name;
    const id = isUnseen ? null : await this.environments.idOf(workspace.id, environment);
    if (id === null) throw InvalidRequest.at('environment', 'is not an environment of this workspace');
    return {
      text: `Make the API key ${inlineText(name)}, which acts as an admin in the environment ${environment} only.`,
      about: id,
    };
  }

  /** The key counts as made by the person who asked for it, since they hold it. */
  async perform(input: Input, approver: WorkspaceCaller, { requestedBy }: PerformedRequest) {
    const { key, ...result } = await this.keys.create(approver.workspace.id, input, approver, requestedBy);
    return { result, secret: key };
  }
}
