import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type Repository } from 'typeorm';

import type { WorkspaceCaller } from '../core/access/index.js';
import { Database, inSeconds, NOW, returnedRow } from '../core/database/index.js';
import { Workspace } from '../workspaces/index.js';
import { FileBlob } from './file-blob.entity.js';
import { viewerOf, viewerParameters } from './file-visibility.js';
import { type FileRow, FIND, FIND_FOR_UPDATE, LIST, type NewFile, SHOWN } from './files.sql.js';
import { StoredFile } from './stored-file.entity.js';

export interface FileListRow extends FileRow {
  scriptSlug: string | null;
  scriptName: string | null;
  runStartedAt: Date | null;
  startedBy: string | null;
}

/** How long one is kept that no run takes. */
const UPLOAD_SECONDS = 86_400;
/** Sorts behind every file's id. */
const AFTER_ALL_IDS = 'fil~';

@Injectable()
export class FilesRepository {
  constructor(
    @InjectRepository(StoredFile) private readonly files: Repository<StoredFile>,
    @InjectRepository(FileBlob) private readonly blobs: Repository<FileBlob>,
    private readonly database: Database,
  ) {}

  async insertUpload(file: NewFile): Promise<FileRow> {
    const insert = this.files.createQueryBuilder().insert();
    const upload = { ...file, direction: 'in', expiresAt: inSeconds(UPLOAD_SECONDS) } as const;
    return (await returnedRow(insert.values(upload), ...SHOWN))!;
  }

  find(id: string, caller: WorkspaceCaller): Promise<FileRow | null> {
    return this.database.one<FileRow>(FIND[viewerOf(caller)], [...viewerParameters(caller), id]);
  }

  /** For whoever holds a link: without a caller. */
  findLinked(id: string): Promise<FileRow | null> {
    return this.files
      .createQueryBuilder('f')
      .innerJoin(Workspace, 'w', 'w.id = f.workspaceId AND w.deletedAt IS NULL')
      .where('f.id = :id AND f.expiresAt > now()', { id })
      .getOne();
  }

  list(caller: WorkspaceCaller, after: string | null, count: number): Promise<FileListRow[]> {
    const parameters = [...viewerParameters(caller), after ?? AFTER_ALL_IDS, count];
    return this.database.query<FileListRow>(LIST[viewerOf(caller)], parameters);
  }

  /** As `find`, and nobody uses, deletes or prunes it until the transaction ends. */
  findForUpdate(id: string, caller: WorkspaceCaller): Promise<FileRow | null> {
    return this.database.one<FileRow>(FIND_FOR_UPDATE[viewerOf(caller)], [...viewerParameters(caller), id]);
  }

  /** Runs lie above this domain, so their entity is called by its name. */
  isRunUnfinished(id: string): Promise<boolean> {
    return this.files.manager.existsBy('Run', { id, phase: Not('finished') });
  }

  /** The bytes go within a minute, if no other file refers to them. */
  async delete({ id, blobKey }: FileRow): Promise<void> {
    await this.files.delete({ id });
    await this.blobs.update({ key: blobKey }, { checkAt: NOW });
  }
}
