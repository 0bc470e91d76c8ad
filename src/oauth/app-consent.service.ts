import { Injectable } from '@nestjs/common';
import type { Client } from 'oidc-provider';

import { cutText } from '../../libs/cut-text/index.js';
import { AgentGrantsService, UsersService } from '../auth/index.js';
import { APP_SCOPES, type Caller, type Role, type Scope } from '../core/access/index.js';
import { isLoopbackHost } from '../core/config/index.js';
import { type ErrorDetail, InvalidRequest } from '../core/errors/index.js';
import { EnvironmentsService } from '../environments/index.js';
import { ScriptCatalogService } from '../scripts/index.js';
import type { AppApprovalInput, ConnectableWorkspaceDto, RequestingAppDto } from './app-request.dto.js';
import { knownBy } from './oauth-clients.js';
import { RegisteredClients } from './registered-clients.js';

const MOST_NAME_CHARACTERS = 100;
/** Nobody chooses from more. */
const MOST_WORKSPACES = 1000;

/** What an app asks a person for, however it asks. */
export interface AskedConnection {
  client: InstanceType<typeof Client>;
  scope: string | undefined;
  /** Where the person's browser brings the consent; null for a device. */
  redirectUri: string | null;
}

interface GrantPlace {
  workspaceId: string;
  role: Role;
  /** null: there is none of that name, or none was named. */
  environmentId: string | null;
}

/** Shows what an app asks for, and grants what the person gives of it. */
@Injectable()
export class AppConsentService {
  constructor(
    private readonly users: UsersService,
    private readonly environments: EnvironmentsService,
    private readonly grants: AgentGrantsService,
    private readonly clients: RegisteredClients,
    private readonly scripts: ScriptCatalogService,
  ) {}

  async workspacesOf(caller: Caller): Promise<ConnectableWorkspaceDto[]> {
    const { workspaces } = await this.users.present(caller.person!);
    const shown = workspaces.slice(0, MOST_WORKSPACES);
    const environments = await this.environments.namesIn(shown.map(({ id }) => id));
    return shown.map(({ id, slug, name, role }) => ({
      slug,
      name,
      role,
      environments: environments.get(id) ?? [],
    }));
  }

  /** Gives the grant's id. To be called in the transaction that passes it on to the app. */
  async grant(caller: Caller, asked: AskedConnection, input: AppApprovalInput): Promise<string> {
    const environment = input.environment ?? null;
    const place = await this.placeOf(caller, input.workspace, environment);
    const scopes = scopesOf(asked);
    const ids = place
      ? await this.idsOfScripts(caller, place, input.scripts ?? [])
      : new Map<string, string>();
    const problems = [
      ...placeProblems(place, environment),
      ...scopeProblems(input.scopes, scopes),
      ...(place ? scriptProblems(input.scripts ?? [], ids) : []),
    ];
    if (problems.length > 0) throw InvalidRequest.listing(problems);
    const app = appOf(asked);
    await this.clients.keep(app.clientId);
    return this.grants.connect(
      {
        userId: caller.person!.id,
        workspaceId: place!.workspaceId,
        environmentId: environment === null ? null : place!.environmentId,
        appName: app.name,
        clientId: app.clientId,
        clientUri: app.uri,
        redirectHost: app.redirectHost,
        scopes: scopes.filter((scope) => input.scopes.includes(scope)),
        scriptIds: input.scripts ? [...ids.values()] : null,
        scriptTags: input.scriptTags ?? null,
      },
      caller,
    );
  }

  /** null: the person is in no such workspace. */
  private async placeOf(
    caller: Caller,
    slug: string,
    environment: string | null,
  ): Promise<GrantPlace | null> {
    const { workspaces } = await this.users.present(caller.person!);
    const workspace = workspaces.find((one) => one.slug === slug);
    if (!workspace) return null;
    const environmentId =
      environment === null ? null : await this.environments.idOf(workspace.id, environment);
    return { workspaceId: workspace.id, role: workspace.role, environmentId };
  }

  /** Of those that the person may see, by slug. */
  private idsOfScripts(
    caller: Caller,
    { workspaceId, role }: GrantPlace,
    slugs: readonly string[],
  ): Promise<Map<string, string>> {
    const viewer = { workspaceId, role, userId: caller.person!.id, scriptChoice: null };
    return this.scripts.visibleIds(viewer, slugs);
  }
}

/** Those that there are, in the usual order. */
export function scopesOf({ scope = '' }: AskedConnection): Scope[] {
  const asked = new Set(scope.split(' '));
  return APP_SCOPES.filter((known) => asked.has(known));
}

export function appOf({ client, redirectUri }: AskedConnection): RequestingAppDto {
  const { clientId, clientName, clientUri } = client;
  const registered = knownBy(clientId);
  const host = registered === 'document' ? new URL(clientId).host : null;
  const redirect = redirectUri === null ? null : new URL(redirectUri);
  const isOfWeb = redirect !== null && /^https?:$/.test(redirect.protocol);
  return {
    name: lineOf(clientName) ?? host ?? clientId,
    clientId,
    host,
    uri: clientUri ?? null,
    redirectHost: redirect && (isOfWeb ? redirect.host : redirect.protocol),
    local: redirect !== null && (isLoopbackHost(redirect.hostname) || !isOfWeb),
    registered,
  };
}

/** A name is one line, as people read it beside others: nothing in it turns what follows, hides, or covers other lines. */
function lineOf(name = ''): string | null {
  const line = name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return cutText(line, MOST_NAME_CHARACTERS) || null;
}

function placeProblems(place: GrantPlace | null, environment: string | null): ErrorDetail[] {
  if (!place) return [{ path: 'workspace', message: 'is not a workspace that you are in' }];
  if (environment === null || place.environmentId !== null) return [];
  return [{ path: 'environment', message: 'is not an environment of that workspace' }];
}

function scriptProblems(slugs: readonly string[], ids: ReadonlyMap<string, string>): ErrorDetail[] {
  return slugs.flatMap((slug, place) =>
    ids.has(slug) ? [] : [{ path: `scripts.${place}`, message: 'is not a script that you may see there' }],
  );
}

function scopeProblems(given: readonly string[], asked: readonly string[]): ErrorDetail[] {
  return given.flatMap((scope, place) => {
    const path = `scopes.${place}`;
    if (!asked.includes(scope)) return [{ path, message: 'is not a scope that the app asks for' }];
    return given.indexOf(scope) < place ? [{ path, message: 'is there twice' }] : [];
  });
}
