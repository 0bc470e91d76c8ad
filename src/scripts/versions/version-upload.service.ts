import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import { boundProblem, type WorkspaceCaller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { NotFound } from '../../core/errors/index.js';
import { IdempotencyService } from '../../core/idempotency/index.js';
import { assertExpected } from '../expected-version.js';
import { statusAfter } from '../script.status.js';
import { viewerOf } from '../script-viewer.js';
import { ScriptsRepository } from '../scripts.repository.js';
import type { ScriptVersionDto } from './version.dto.js';
import { presentVersion } from './version.presenter.js';
import type { ScriptVersionInput } from './version-input.dto.js';
import type { VersionOrigin } from './version-origin.js';
import type { VersionPlan } from './version-plan.js';
import { type StoredVersion, VersionPreparationService } from './version-preparation.service.js';
import { VERSION_RESOURCE, VersionsRepository } from './versions.repository.js';

/** Makes new versions of scripts. */
@Injectable()
export class VersionUploadService {
  constructor(
    private readonly preparation: VersionPreparationService,
    private readonly scripts: ScriptsRepository,
    private readonly versions: VersionsRepository,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
  ) {}

  async create(caller: WorkspaceCaller, slug: string, input: ScriptVersionInput): Promise<ScriptVersionDto> {
    const plan = await this.preparation.plan(caller, input);
    const viewer = viewerOf(caller);
    const script = await this.scripts.find(viewer, slug);
    if (!script) throw new NotFound('script');
    statusAfter(script.status, 'add_version');
    // Told before minutes are spent on it; it counts under the lock.
    assertExpected(input.expectedVersion, 'newest', script);
    const stored = await this.preparation.store(caller, input, plan);
    const via = caller.kind === 'session' ? 'app' : (input.via ?? 'api');
    const id = await this.database.transaction(() => this.insert(caller, slug, plan, stored, input, via));
    const row = await this.versions.findById(viewer, id);
    if (!row) throw new NotFound('version');
    return presentVersion(row);
  }

  private async insert(
    caller: WorkspaceCaller,
    slug: string,
    plan: VersionPlan,
    { archiveKey, installed }: StoredVersion,
    { expectedVersion, message }: ScriptVersionInput,
    createdVia: VersionOrigin,
  ): Promise<string> {
    const script = await this.scripts.lock(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    statusAfter(script.status, 'add_version');
    assertExpected(expectedVersion, 'newest', script);
    const { archive, tags, recipe: _, ...version } = plan;
    if (caller.bound && tags && !isDeepStrictEqual(tags, script.tags)) throw boundProblem(caller);
    const number = await this.versions.nextNumber(script.id, tags);
    // Made while the script is locked, so that ids are in the order of numbers.
    const id = newId('version');
    await this.versions.insert({
      ...version,
      id,
      scriptId: script.id,
      number,
      archiveKey,
      ...installed,
      archiveSha256: archive.sha256,
      createdVia,
      message: message?.trim() || null,
      createdByUserId: caller.person?.id ?? null,
    });
    const target = { type: 'script_version', id };
    const {
      hosts,
      hostRules,
      secrets,
      env,
      resources,
      runsOn,
      retry,
      idempotent,
      concurrency,
      debounce,
      labels,
      keep,
    } = plan;
    const rules = hostRules.length > 0 && { hostRules };
    const asked = resources !== null && { resources };
    const placed = runsOn.length > 0 && { runsOn };
    const again = retry !== null && { retry, idempotent };
    const atOnce = concurrency !== null && { concurrency };
    const gathered = debounce !== null && { debounce };
    const labelled = Object.keys(labels).length > 0 && { labels };
    const stays = keep !== null && { keep };
    const how = {
      ...rules,
      ...asked,
      ...placed,
      ...again,
      ...atOnce,
      ...gathered,
      ...labelled,
      ...stays,
    };
    const details = { slug, version: number, hosts, secrets: Object.keys(secrets), env, ...how };
    await this.audit.record(caller.workspace.id, caller, 'script.version.created', target, details);
    await this.idempotency.commit(VERSION_RESOURCE, id);
    return id;
  }
}
