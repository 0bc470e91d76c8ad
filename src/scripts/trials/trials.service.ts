import { Injectable, type OnModuleInit } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { NotFound } from '../../core/errors/index.js';
import type { ByteContent } from '../../core/http/index.js';
import { IdempotencyService, RetryResponseRegistry } from '../../core/idempotency/index.js';
import { BlobStore } from '../../core/storage/index.js';
import { statusAfter } from '../script.status.js';
import { viewerOf } from '../script-viewer.js';
import { ScriptsRepository } from '../scripts.repository.js';
import type { ScriptVersion } from '../versions/script-version.entity.js';
import type { ScriptFolderInput } from '../versions/version-input.dto.js';
import type { VersionPlan } from '../versions/version-plan.js';
import { type StoredVersion, VersionPreparationService } from '../versions/version-preparation.service.js';
import type { TrialDto } from './trial.dto.js';
import { presentTrial } from './trial.presenter.js';
import { TrialsRepository } from './trials.repository.js';

const TRIAL_RESOURCE = 'script_trial';
/** Whoever saves and tries all day leaves no more than these. */
const MOST_OF_A_PERSON = 20;

/** Makes and reads trials. They are run as versions are, and `TrialPruner` takes them away. */
@Injectable()
export class TrialsService implements OnModuleInit {
  constructor(
    private readonly preparation: VersionPreparationService,
    private readonly scripts: ScriptsRepository,
    private readonly trials: TrialsRepository,
    private readonly blobs: BlobStore,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
    private readonly resources: RetryResponseRegistry,
  ) {}

  onModuleInit(): void {
    this.resources.register(TRIAL_RESOURCE, async (id, caller) => {
      const trial = await this.trials.findById(viewerOf(caller), id);
      return trial && { status: 201, body: presentTrial(trial) };
    });
  }

  async create(caller: WorkspaceCaller, slug: string, input: ScriptFolderInput): Promise<TrialDto> {
    const plan = await this.preparation.plan(caller, input);
    const script = await this.scripts.find(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    statusAfter(script.status, 'add_version');
    const id = newId('trial');
    const ownKey = `trials/${id}`;
    try {
      const stored = await this.preparation.store(caller, input, plan, ownKey);
      await this.database.transaction(() => this.insert(caller, slug, id, plan, stored));
    } catch (error) {
      await this.preparation.discard([ownKey]).catch(() => undefined);
      throw error;
    }
    return this.find(caller, slug, id);
  }

  async find(caller: WorkspaceCaller, slug: string, id: string): Promise<TrialDto> {
    return presentTrial(await this.visible(caller, slug, id));
  }

  async archive(caller: WorkspaceCaller, slug: string, id: string): Promise<ByteContent> {
    const { archiveKey, archiveSha256 } = await this.visible(caller, slug, id);
    return {
      open: (range) => this.blobs.read(archiveKey, range),
      size: await this.blobs.size(archiveKey),
      sha256: archiveSha256,
      filename: `${slug}-trial.tar.gz`,
      type: 'application/gzip',
    };
  }

  private async insert(
    caller: WorkspaceCaller,
    slug: string,
    id: string,
    { archive, tags: _, recipe: __, readme: ___, ...version }: VersionPlan,
    { archiveKey, installed }: StoredVersion,
  ): Promise<void> {
    const script = await this.scripts.lock(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    statusAfter(script.status, 'add_version');
    const createdByUserId = caller.person?.id ?? null;
    await this.trials.insert({
      ...version,
      id,
      scriptId: script.id,
      archiveKey,
      ...installed,
      archiveSha256: archive.sha256,
      createdVia: caller.kind === 'session' ? 'app' : 'cli',
      createdByUserId,
    });
    await this.trials.expireAllBut(MOST_OF_A_PERSON, script.id, createdByUserId);
    const { hosts, secrets, env } = version;
    const details = { slug, hosts, secrets: Object.keys(secrets), env };
    const target = { type: 'script_trial', id };
    await this.audit.record(caller.workspace.id, caller, 'script.trial.created', target, details);
    await this.idempotency.commit(TRIAL_RESOURCE, id);
  }

  private async visible(caller: WorkspaceCaller, slug: string, id: string): Promise<ScriptVersion> {
    const trial = await this.trials.find(viewerOf(caller), slug, id);
    if (!trial) throw new NotFound('trial; it may have expired');
    return trial;
  }
}
