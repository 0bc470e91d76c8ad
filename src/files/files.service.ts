import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { isId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import type { ByteContent } from '../core/http/index.js';
import { Conflict, Forbidden, NotFound } from '../core/errors/index.js';
import { BlobStore } from '../core/storage/index.js';
import type { FileDto, FileListItemDto } from './file.dto.js';
import { FileLinksService } from './file-links.service.js';
import { presentFile, presentListItem } from './file-presenter.js';
import { viewerOf, viewerParameters } from './file-visibility.js';
import { FilesRepository } from './files.repository.js';
import type { FileRow } from './files.sql.js';

@Injectable()
export class FilesService {
  constructor(
    private readonly files: FilesRepository,
    private readonly store: BlobStore,
    private readonly links: FileLinksService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  list(caller: WorkspaceCaller, { limit, cursor }: PageRequest): Promise<Page<FileListItemDto>> {
    return keysetPage(
      { limit, cursor },
      { list: 'files', filters: [viewerOf(caller), ...viewerParameters(caller)] },
      (after, count) => this.files.list(caller, after, count),
      (row) => presentListItem(row, this.links.to),
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<FileDto> {
    return presentFile(await this.visible(caller, id), this.links.to);
  }

  async delete(caller: WorkspaceCaller, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const file = isId('file', id) ? await this.files.findForUpdate(id, caller) : null;
      if (!file) throw new NotFound('file');
      // Asked after the lock, so that a run which took the file meanwhile is seen.
      if (file.runId !== null && (await this.files.isRunUnfinished(file.runId))) {
        throw new Conflict(
          `The run ${file.runId} still uses this file. Wait until it is finished, or cancel it.`,
        );
      }
      await this.files.delete(file);
      const { name } = file;
      await this.audit.record(caller.workspace.id, caller, 'file.deleted', { type: 'file', id }, { name });
    });
  }

  async content(caller: WorkspaceCaller, id: string): Promise<ByteContent> {
    return this.bytesOf(await this.visible(caller, id));
  }

  async linkedContent(id: string, token: string): Promise<ByteContent> {
    if (!this.links.isEnabled) throw new NotFound('route: download links are switched off here');
    if (!this.links.opens(id, token)) {
      throw new Forbidden(
        'This link is not valid, or older than an hour. Read the file again for a new one.',
      );
    }
    const file = await this.files.findLinked(id);
    if (!file) throw new NotFound('file');
    return this.bytesOf(file);
  }

  private async visible(caller: WorkspaceCaller, id: string): Promise<FileRow> {
    const file = isId('file', id) ? await this.files.find(id, caller) : null;
    if (!file) throw new NotFound('file');
    return file;
  }

  private bytesOf({ blobKey, name, type, size, sha256 }: FileRow): ByteContent {
    const open: ByteContent['open'] = (range) => this.store.read(blobKey, range);
    return { open, size, sha256, type, filename: name.slice(name.lastIndexOf('/') + 1) };
  }
}
