import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { keysetPage, type Page } from '../../core/database/index.js';
import { NotFound } from '../../core/errors/index.js';
import type { ByteContent, PageQuery } from '../../core/http/index.js';
import { RetryResponseRegistry } from '../../core/idempotency/index.js';
import { BlobStore } from '../../core/storage/index.js';
import { viewerOf } from '../script-viewer.js';
import { ScriptsRepository } from '../scripts.repository.js';
import type { ScriptVersionDto } from './version.dto.js';
import { presentVersion } from './version.presenter.js';
import { VERSION_RESOURCE, VersionsRepository } from './versions.repository.js';

/** Reads versions. `VersionUploadService` makes them. */
@Injectable()
export class VersionsService implements OnModuleInit {
  constructor(
    private readonly scripts: ScriptsRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobStore,
    private readonly resources: RetryResponseRegistry,
  ) {}

  onModuleInit(): void {
    this.resources.register(VERSION_RESOURCE, async (id, caller) => {
      const row = await this.versions.findById(viewerOf(caller), id);
      return row && { status: 201, body: presentVersion(row) };
    });
  }

  async list(caller: WorkspaceCaller, slug: string, request: PageQuery): Promise<Page<ScriptVersionDto>> {
    const script = await this.scripts.find(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    return keysetPage(
      request,
      { list: 'script_versions', filters: [caller.workspace.id, script.id] },
      (after, count) => this.versions.list(script.id, after, count),
      presentVersion,
    );
  }

  async find(caller: WorkspaceCaller, slug: string, number: number): Promise<ScriptVersionDto> {
    const row = await this.versions.find(viewerOf(caller), slug, number);
    if (!row) throw new NotFound('version');
    return presentVersion(row);
  }

  /** The archive as it was uploaded. */
  async archive(caller: WorkspaceCaller, slug: string, number: number): Promise<ByteContent> {
    const version = await this.versions.findArchive(viewerOf(caller), slug, number);
    if (!version) throw new NotFound('version');
    const { archiveKey, archiveSha256 } = version;
    return {
      open: (range) => this.blobs.read(archiveKey, range),
      size: await this.blobs.size(archiveKey),
      sha256: archiveSha256,
      filename: `${slug}-${number}.tar.gz`,
      type: 'application/gzip',
    };
  }
}
