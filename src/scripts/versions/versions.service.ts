import { Injectable, type OnModuleInit } from '@nestjs/common';

import { AuditTrail } from '../../audit/audit-trail.js';
import type { WorkspaceCaller } from '../../core/access/caller.js';
import { newId } from '../../core/crypto/ids.js';
import { type Installed, Builds } from '../../builds/builds.service.js';
import { Database } from '../../core/database/database.js';
import { type Page, keysetPage } from '../../core/database/page.js';
import type { ByteContent } from '../../core/http/byte-answer.js';
import { NotFound } from '../../core/errors/problems.js';
import type { PageQuery } from '../../core/http/page-query.dto.js';
import { Idempotency } from '../../core/idempotency/idempotency.js';
import { ResourceAnswers } from '../../core/idempotency/resource-answers.js';
import { BlobStore } from '../../core/storage/blob-store.js';
import { VersionSecrets } from '../../secrets/version-secrets.service.js';
import { MAX_ARCHIVE_BYTES } from '../../../libs/archive/index.js';
import { SchemaChecks } from '../../core/schema/schema-checks.js';
import { statusAfter } from '../script.status.js';
import { viewerOf } from '../script-viewer.js';
import { type ScriptRow, ScriptsRepository } from '../scripts.repository.js';
import type { ScriptVersionDto } from './version.dto.js';
import type { ScriptVersionInput, VersionOrigin } from './version-input.dto.js';
import { planVersion, type VersionPlan } from './version-plan.js';
import { type VersionRow, VersionsRepository } from './versions.repository.js';

/** How a version is known to what remembers answers. */
const RESOURCE = 'script_version';
const NOTHING_INSTALLED = { buildLog: null, depsKey: null, depsWhole: false };

@Injectable()
export class VersionsService implements OnModuleInit {
  constructor(
    private readonly scripts: ScriptsRepository,
    private readonly versions: VersionsRepository,
    private readonly secrets: VersionSecrets,
    private readonly builds: Builds,
    private readonly blobs: BlobStore,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly idempotency: Idempotency,
    private readonly answers: ResourceAnswers,
    private readonly checks: SchemaChecks,
  ) {}

  onModuleInit(): void {
    this.answers.register(RESOURCE, async (id, caller) => {
      const row = await this.versions.findById(viewerOf(caller), id);
      return row && { status: 201, body: present(row) };
    });
  }

  async list(caller: WorkspaceCaller, slug: string, request: PageQuery): Promise<Page<ScriptVersionDto>> {
    const script = await this.visible(caller, slug);
    return keysetPage(
      request,
      { list: 'script_versions', filters: [caller.workspace.id, script.id] },
      (after, count) => this.versions.list(script.id, after, count),
      present,
    );
  }

  async find(caller: WorkspaceCaller, slug: string, number: number): Promise<ScriptVersionDto> {
    const row = await this.versions.find(viewerOf(caller), slug, number);
    if (!row) throw new NotFound('version');
    return present(row);
  }

  /** The archive as it was uploaded. */
  async archive(caller: WorkspaceCaller, slug: string, number: number): Promise<ByteContent> {
    const archive = await this.versions.findArchive(viewerOf(caller), slug, number);
    if (!archive) throw new NotFound('version');
    return {
      open: (range) => this.blobs.read(archive.key, range),
      size: await this.blobs.size(archive.key),
      sha256: archive.sha256,
      filename: `${slug}-${number}.tar.gz`,
      type: 'application/gzip',
    };
  }

  async create(caller: WorkspaceCaller, slug: string, input: ScriptVersionInput): Promise<ScriptVersionDto> {
    const plan = await planVersion(input, this.checks, caller.workspace.id);
    statusAfter((await this.visible(caller, slug)).status, 'add_version');
    // As given, for the places that are named; each was found to be a name.
    await this.secrets.check(caller, { secrets: plan.secrets, env: (input.env ?? []).map(String) });
    // Stored before the transaction, which must not wait for the file store. Bytes that no version came to use do no
    // harm: they are kept by what they are, once.
    const { archive, recipe } = plan;
    const { key } = await this.blobs.writeContent(archive.bytes, { maxBytes: MAX_ARCHIVE_BYTES });
    const installed = recipe && (await this.builds.install(caller.workspace.id, archive, key, recipe));
    const via = caller.kind === 'session' ? 'app' : (input.via ?? 'api');
    const id = await this.database.transaction(() =>
      this.store(caller, slug, plan, { archiveKey: key, via, installed }),
    );
    const row = await this.versions.findById(viewerOf(caller), id);
    if (!row) throw new NotFound('version');
    return present(row);
  }

  private async store(
    caller: WorkspaceCaller,
    slug: string,
    plan: VersionPlan,
    { archiveKey, via, installed }: { archiveKey: string; via: VersionOrigin; installed: Installed | null },
  ): Promise<string> {
    const script = await this.scripts.lock(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    statusAfter(script.status, 'add_version');
    const { archive, tags, recipe: _, ...version } = plan;
    const number = await this.versions.nextNumber(script.id, tags);
    // Made while the script is locked, so that ids are in the order of numbers.
    const id = newId('version');
    await this.versions.insert({
      ...version,
      id,
      scriptId: script.id,
      number,
      archiveKey,
      // Where nothing was installed, the folder is what was uploaded.
      ...(installed ?? NOTHING_INSTALLED),
      archiveBytes: installed?.archiveBytes ?? archive.bytes.length,
      archiveSha256: archive.sha256,
      createdVia: via,
      createdByUserId: caller.person?.id ?? null,
    });
    const target = { type: 'script_version', id };
    const details = {
      slug,
      version: number,
      hosts: plan.hosts,
      secrets: Object.keys(plan.secrets),
      env: plan.env,
    };
    await this.audit.record(caller.workspace.id, caller, 'script.version.created', target, details);
    await this.idempotency.commit(RESOURCE, id);
    return id;
  }

  private async visible(caller: WorkspaceCaller, slug: string): Promise<ScriptRow> {
    const script = await this.scripts.find(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    return script;
  }
}

function present({ publishedAt, createdAt, ...version }: VersionRow): ScriptVersionDto {
  return {
    ...version,
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
