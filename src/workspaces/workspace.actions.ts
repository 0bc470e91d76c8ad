import {
  ApprovalAction,
  type ApprovalActionProvider,
  asBody,
  inlineText,
  inputOf,
  type PerformedRequest,
} from '../approvals/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Forbidden, InvalidRequest } from '../core/errors/index.js';
import { EnvironmentsService } from '../environments/index.js';
import { ApiKeyInput } from './api-key.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { TeamInput } from './teams/team.dto.js';
import { TeamsService } from './teams/teams.service.js';
import { WorkspacePatch } from './workspace.dto.js';
import { WorkspacesService } from './workspaces.service.js';

interface RenameWorkspaceInput {
  name: string;
}

@ApprovalAction()
export class RenameWorkspaceAction implements ApprovalActionProvider<RenameWorkspaceInput> {
  readonly id = 'workspace.rename';
  readonly title = 'Rename the workspace';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf({ name: { type: 'string', minLength: 1, maxLength: 100 } });

  constructor(private readonly workspaces: WorkspacesService) {}

  async summarise(input: RenameWorkspaceInput, { workspace }: WorkspaceCaller) {
    const { name } = await asBody(WorkspacePatch, input);
    return `Rename the workspace ${inlineText(workspace.name)} to ${inlineText(name!)}.`;
  }

  /** As on the route, only an owner may rename. An admin sees the request and may deny it. */
  async perform({ name }: RenameWorkspaceInput, approver: WorkspaceCaller) {
    if (approver.role !== 'owner') throw new Forbidden('Only an owner may rename the workspace.');
    return { result: { ...(await this.workspaces.update(approver, { name })) } };
  }
}

@ApprovalAction()
export class CreateTeamAction implements ApprovalActionProvider<TeamInput> {
  readonly id = 'team.create';
  readonly title = 'Make a team';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf({ name: { type: 'string', minLength: 1, maxLength: 100 } });

  constructor(private readonly teams: TeamsService) {}

  async summarise(input: TeamInput) {
    const { name } = await asBody(TeamInput, input);
    return `Make the team ${inlineText(name)}.`;
  }

  async perform(input: TeamInput, approver: WorkspaceCaller) {
    return { result: { ...(await this.teams.create(approver, input)) } };
  }
}

@ApprovalAction()
export class CreateApiKeyAction implements ApprovalActionProvider<ApiKeyInput> {
  readonly id = 'api_key.create';
  readonly title = 'Make an API key';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly secret = { name: 'API key', envVar: 'GATEHOUSE_API_KEY' };
  readonly inputSchema = inputOf(
    { name: { type: 'string', minLength: 1, maxLength: 100, description: 'What the key is for.' } },
    {
      environment: {
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 100,
        description: 'The name of the environment that it is bound to; null or absent for all.',
      },
    },
  );

  constructor(
    private readonly keys: ApiKeysService,
    private readonly environments: EnvironmentsService,
  ) {}

  async summarise(input: ApiKeyInput, { workspace, environment: own, bound }: WorkspaceCaller) {
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
  async perform(input: ApiKeyInput, approver: WorkspaceCaller, { requestedBy }: PerformedRequest) {
    const { key, ...result } = await this.keys.create(approver.workspace.id, input, approver, requestedBy);
    return { result, secret: key };
  }
}
