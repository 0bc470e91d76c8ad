import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import {
  type AutomationChange,
  AutomationDisablingService,
  AutomationNeedsService,
  checkMatching,
  MatchingAutomationsService,
  REQUEST_PLACEHOLDERS,
} from '../automations/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { hashToken, randomText } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { SchemaChecks } from '../core/schema/index.js';
import { SecretVaultService } from '../secrets/index.js';
import type { HookDto, HookInput, HookPatch, NewHookDto } from './hook.dto.js';
import type { Hook } from './hook.entity.js';
import { HOOK } from './hook.kind.js';
import { assertMayVerify, missingSecretsWarning } from './hook.rules.js';
import { type HookRow, HooksRepository, type ListedHook } from './hooks.repository.js';
import { parseVerify } from './verify/parse-verify.js';
import { secretsOf } from './verify/verify-config.js';

/** 256 bits in base62. */
export const ADDRESS_LENGTH = 43;

/** What of a hook can be changed; the environment by its name. */
type HookSettings = Pick<
  Hook,
  'name' | 'verify' | 'headers' | 'filter' | 'inputs' | 'respond' | 'enabled'
> & {
  environment: string;
};

type HookChange = AutomationChange<HookRow, HookSettings>;

/** How hooks are made, changed and deleted. */
@Injectable()
export class HooksService extends MatchingAutomationsService<HookRow, HookSettings, HookDto> {
  protected readonly fields = [
    'name',
    'environment',
    'verify',
    'headers',
    'filter',
    'inputs',
    'respond',
    'enabled',
  ] as const;
  protected readonly present = presentHook;
  protected readonly placeholders = REQUEST_PLACEHOLDERS;

  constructor(
    private readonly hooks: HooksRepository,
    needs: AutomationNeedsService,
    disabling: AutomationDisablingService,
    database: Database,
    audit: AuditTrail,
    protected readonly checks: SchemaChecks,
    private readonly settings: Settings,
    private readonly vault: SecretVaultService,
  ) {
    super(HOOK, hooks, needs, disabling, database, audit);
  }

  async create(caller: WorkspaceCaller, slug: string, input: HookInput): Promise<NewHookDto> {
    checkMatching(input, this.placeholders);
    const verify = parseVerify(input.verify);
    const { filter = {}, headers = [], respond = false } = input;
    const { address, hash: addressHash } = newAddress();
    let environmentId = '';
    const hook = await this.make(caller, slug, input, (environment) => {
      environmentId = environment.id;
      assertMayVerify(caller, null, verify);
      const columns = { addressHash, verify, filter, headers: [...new Set(headers)], respond };
      return { columns, details: { verify: verify.scheme, respond } };
    });
    const wanted = { workspaceId: caller.workspace.id, environmentId, names: secretsOf(verify) };
    const warning = missingSecretsWarning(await this.vault.missing(wanted), hook.environment);
    return { ...hook, url: this.urlOf(address), ...(warning !== null && { warning }) };
  }

  changeHook(caller: WorkspaceCaller, id: string, { verify, ...patch }: HookPatch): Promise<HookDto> {
    checkMatching(patch, this.placeholders);
    const { headers } = patch;
    return this.change(caller, id, {
      ...patch,
      ...(headers && { headers: [...new Set(headers)] }),
      ...(verify && { verify: parseVerify(verify) }),
    });
  }

  /** Gives it another address; the one before does not exist any more. */
  rotate(caller: WorkspaceCaller, id: string): Promise<NewHookDto> {
    const { address, hash: addressHash } = newAddress();
    return this.database.transaction(async () => {
      const { name } = await this.lock(caller, id);
      await this.hooks.change(id, { addressHash });
      const target = { type: 'hook', id };
      await this.audit.record(caller.workspace.id, caller, 'hook.rotated', target, { name });
      return { ...(await this.get(caller, id)), url: this.urlOf(address) };
    });
  }

  protected ownChange(caller: WorkspaceCaller, { before, after, changed }: HookChange): Partial<HookRow> {
    if (changed.includes('verify')) assertMayVerify(caller, before.verify, after.verify);
    return {};
  }

  private urlOf(address: string): string {
    return `${this.settings.baseUrl}/hooks/${address}`;
  }
}

function newAddress(): { address: string; hash: Buffer } {
  const address = randomText(ADDRESS_LENGTH);
  return { address, hash: hashToken(address) };
}

function presentHook(row: ListedHook): HookDto {
  return {
    id: row.id,
    name: row.name,
    script: { id: row.scriptId, slug: row.scriptSlug },
    environment: row.environment,
    verify: row.verify,
    headers: row.headers,
    filter: row.filter,
    inputs: row.inputs,
    respond: row.respond,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdByUserId: row.createdByUserId,
    lastReceivedAt: row.lastReceivedAt?.toISOString() ?? null,
  };
}
