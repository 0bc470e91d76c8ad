import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type AuditAction, AuditTrail } from '../audit/index.js';
import { assertMayLoosen, boundProblem, type WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { WorkspaceKeysService } from '../core/keys/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { InvalidRequest, NotFound } from '../core/errors/index.js';
import { Outbox } from '../core/outbox/index.js';
import { EnvironmentDeletionHooks, EnvironmentsService } from '../environments/index.js';
import type { SecretKind } from './secret-kind.js';
import { parseSecretHosts } from './secret-hosts.js';
import { secretNameProblem } from './secret-name.js';
import type { SecretDto, SecretInput, SecretSetDto, SecretSourceListDto } from './secret.dto.js';
import { checkKind, contentOf, refuseAt, type SecretContent } from './secret-content.js';
import { placeOf } from './secret-place.js';
import { loosened } from './secret.loosening.js';
import { valueWarning } from './secret.rules.js';
import type { Secret } from './secret.entity.js';
import { SecretsRepository } from './secrets.repository.js';
import type { EnvironmentRef, SecretRow } from './secrets.sql.js';
import { SecretSources } from './sources/secret-sources.js';

/** A secret that is locked, as it was before the change; null: it is being made. */
type ChangingSecret = { id: string; kind: SecretKind; before: Secret | null };

/** Secrets and their values, which are sealed here and never read again. */
@Injectable()
export class SecretsService implements OnModuleInit {
  constructor(
    private readonly secrets: SecretsRepository,
    private readonly environments: EnvironmentsService,
    private readonly deletions: EnvironmentDeletionHooks,
    private readonly keys: WorkspaceKeysService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly sources: SecretSources,
  ) {}

  onModuleInit(): void {
    this.deletions.register((environmentId) => this.secrets.deleteAllIn(environmentId));
  }

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<SecretDto>> {
    const { workspace } = caller;
    const only = visibleEnvironment(caller);
    const fetch = (after: string | null, count: number) =>
      this.secrets.list(workspace.id, only, after, count);
    const filters = { workspaceId: workspace.id, only };
    return keysetPage(request, { list: 'secrets', filters }, fetch, present);
  }

  async get(caller: WorkspaceCaller, name: string): Promise<SecretDto> {
    const row = await this.secrets.find(caller.workspace.id, visibleEnvironment(caller), name);
    if (!row) throw new NotFound('secret');
    return present(row);
  }

  /** Where values may be besides here. */
  listSources(caller: WorkspaceCaller): SecretSourceListDto {
    return { items: this.sources.describe(caller) };
  }

  /** Sets the value in the acting environment, or where it is read from, and makes the secret where there is none. */
  set(caller: WorkspaceCaller, name: string, input: SecretInput): Promise<SecretSetDto> {
    refuseAt('name', secretNameProblem(name));
    const content = contentOf(input, this.sources, caller);
    const hosts = parseSecretHosts(input.hosts);
    return this.database.transaction(async () => {
      await this.holdEnvironment(caller);
      const { id, kind, before } = await this.lockOrMake(caller, name, input);
      checkKind(kind, input);
      const warning = content.value === null ? null : valueWarning(kind, content.value);
      const allowEnv = input.allowEnv ?? before?.allowEnv ?? false;
      if (caller.bound && allowEnv !== (before?.allowEnv ?? false)) throw boundProblem(caller);
      const limits = await this.secrets.limits(caller.workspace.id, name, caller.environment, before);
      assertMayLoosen(caller, loosened(limits, { ...content, allowEnv, hosts }));
      if (hosts.length === 0 && !allowEnv) {
        throw InvalidRequest.at(
          'hosts',
          'must name at least one host, unless scripts may read the secret (allowEnv)',
        );
      }
      if (before) await this.secrets.update(id, allowEnv);
      await this.store(caller, id, content, hosts);
      const details = {
        hosts,
        ...(content.source !== null && { source: content.source }),
        ...(before === null && kind !== 'text' && { kind }),
        ...(allowEnv !== (before?.allowEnv ?? false) && { allowEnv }),
      };
      await this.tell(caller, 'secret.updated', { id, name }, [caller.environment], details);
      return { ...(await this.get(caller, name)), ...(warning !== null && { warning }) };
    });
  }

  /** Deletes the value in the acting environment, or all; the secret goes with its last one. */
  delete(caller: WorkspaceCaller, name: string, allEnvironments: boolean): Promise<void> {
    const { workspace, environment, bound } = caller;
    if (allEnvironments && bound) throw boundProblem(caller);
    return this.database.transaction(async () => {
      const secret = await this.secrets.lock(workspace.id, name);
      if (!secret) throw new NotFound('secret');
      const emptied = await this.secrets.deleteValues(secret.id, allEnvironments ? null : environment.id);
      if (emptied.length === 0)
        throw new NotFound(bound ? 'secret' : `secret: ${name} has no value in ${environment.name}`);
      await this.secrets.touch(secret.id);
      await this.secrets.deleteUnlessValued([secret.id]);
      await this.tell(caller, 'secret.deleted', { id: secret.id, name }, emptied);
    });
  }

  private async holdEnvironment({ workspace, environment }: WorkspaceCaller): Promise<void> {
    if (await this.environments.hold(workspace.id, environment.id)) return;
    throw InvalidRequest.at(
      'x-environment',
      `there is no environment "${environment.name}" in this workspace`,
    );
  }

  private async lockOrMake(
    caller: WorkspaceCaller,
    name: string,
    { kind = 'text', allowEnv = false }: SecretInput,
  ): Promise<ChangingSecret> {
    const workspaceId = caller.workspace.id;
    const createdByUserId = caller.person?.id ?? null;
    for (;;) {
      const id = newId('secret');
      const made = await this.secrets.insert({ id, workspaceId, name, kind, allowEnv, createdByUserId });
      if (made) return { id, kind, before: null };
      const before = await this.secrets.lock(workspaceId, name);
      // It was deleted between the two statements: try again.
      if (before) return { id: before.id, kind: before.kind, before };
    }
  }

  private async store(
    caller: WorkspaceCaller,
    secretId: string,
    { value, source, reference }: SecretContent,
    hosts: string[],
  ): Promise<void> {
    const { workspace, environment, person } = caller;
    const key = await this.keys.of(workspace.id);
    const place = { workspaceId: workspace.id, secretId, environmentId: environment.id, hosts, source };
    const sealed = key.seal(value ?? reference, placeOf(place));
    const createdByUserId = person?.id ?? null;
    const row = { secretId, environmentId: environment.id, sealed, hosts, source, reference };
    await this.secrets.putValue({ ...row, createdByUserId });
  }

  /** One audit entry for the change, and one event for each environment that it is about. */
  private async tell(
    caller: WorkspaceCaller,
    action: Extract<AuditAction, `secret.${string}`>,
    { id, name }: { id: string; name: string },
    environments: readonly EnvironmentRef[],
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const workspaceId = caller.workspace.id;
    for (const environment of environments) {
      const data = { name, environment: environment.name };
      await this.outbox.add({ workspaceId, environmentId: environment.id, type: 'secret.updated', data });
    }
    const names = environments.map((environment) => environment.name);
    await this.audit.record(
      workspaceId,
      caller,
      action,
      { type: 'secret', id },
      { name, environments: names, ...details },
    );
  }
}

/** A bound API key sees its own environment only. */
function visibleEnvironment({ bound, environment }: WorkspaceCaller): string | null {
  return bound ? environment.id : null;
}

function present(row: SecretRow): SecretDto {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    allowEnv: row.allowEnv,
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    values: row.values.map(({ updatedAt, lastUsedAt, source, reference, ...value }) => ({
      ...value,
      ...(source !== null && reference !== null && { source, reference }),
      updatedAt: new Date(updatedAt).toISOString(),
      lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
    })),
  };
}
