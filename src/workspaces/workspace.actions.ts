import {
  ApprovalAction,
  type ApprovalActionProvider,
  asBody,
  inputOf,
  type PerformedRequest,
} from '../approvals/index.js';
import { inlineText, nameText } from '../notifications/index.js';
import { expiryProblems, scopeProblems } from '../auth/index.js';
import { holdsEveryScope, MCP_SCOPE, type WorkspaceCaller } from '../core/access/index.js';
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
    return `Make the team ${nameText(name)}.`;
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
      scopes: {
        type: ['array', 'null'],
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        items: { type: 'string', maxLength: 100 },
        description: 'What it may do; null or absent for all that an admin may, except `mcp`.',
      },
      expiresAt: {
        type: ['string', 'null'],
        maxLength: 40,
        description: 'When it stops working, as a timestamp; null or absent for never.',
      },
    },
  );

  constructor(
    private readonly keys: ApiKeysService,
    private readonly environments: EnvironmentsService,
  ) {}

  async summarise(input: ApiKeyInput, asker: WorkspaceCaller) {
    const { workspace, environment: own, bound } = asker;
    const { name, environment = null, ...limits } = await asBody(ApiKeyInput, input);
    const may = limitsText(limits, asker);
    if (environment === null)
      return {
        text: `Make the API key ${nameText(name)}, which acts as an admin in every environment${may}`,
      };
    const isUnseen = bound && environment !== own.name;
    const id = isUnseen ? null : await this.environments.idOf(workspace.id, environment);
    if (id === null) throw InvalidRequest.at('environment', 'is not an environment of this workspace');
    return {
      text: `Make the API key ${nameText(name)}, which acts as an admin in the environment ${environment} only${may}`,
      about: id,
    };
  }

  /** The key counts as made by the person who asked for it, since they hold it. */
  async perform(input: ApiKeyInput, approver: WorkspaceCaller, { requestedBy }: PerformedRequest) {
    const { key, ...result } = await this.keys.create(approver.workspace.id, input, approver, requestedBy);
    return { result, secret: key };
  }
}

/**
 * The rest of the sentence about a key. A person decides, so a token may ask for a key that may do more than itself; then
 * the sentence says so.
 *
 * @throws InvalidRequest
 */
function limitsText(
  { scopes = null, expiresAt = null }: Pick<ApiKeyInput, 'scopes' | 'expiresAt'>,
  { scopes: held }: WorkspaceCaller,
): string {
  const end = expiresAt === null ? null : new Date(expiresAt);
  const problems = [...scopeProblems(scopes ?? []), ...expiryProblems(end, new Date())];
  if (problems.length > 0) throw InvalidRequest.listing(problems);
  const within = held === null || (scopes ? scopes.every((scope) => held.has(scope)) : holdsEveryScope(held));
  return [
    ...(scopes ? [`, within the scopes ${scopes.join(', ')}`] : []),
    ...(scopes?.includes(MCP_SCOPE) ? [' (so that a model may use it at /mcp)'] : []),
    ...(end ? [`, until ${end.toISOString()}`] : []),
    '.',
    ...(within ? [] : [' It may do more than the token that asks for it.']),
  ].join('');
}
