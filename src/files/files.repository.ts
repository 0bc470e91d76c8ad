import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { NOW } from '../core/database/moments.js';
import { named } from '../core/database/named-parameters.js';
import { Workspace } from '../workspaces/index.js';
import { FileBlob } from './file-blob.entity.js';
import { forEachViewer, viewerOf, viewerParameters } from './file-visibility.js';
import { StoredFile } from './stored-file.entity.js';

export const FILE = columns(
  StoredFile,
  'f',
  'id',
  'workspaceId',
  'direction',
  'name',
  'type',
  'size',
  'sha256',
  'blobKey',
  'runId',
  'field',
  'createdAt',
  'expiresAt',
);

export type FileRow = RowOf<typeof FILE>;

export interface FileListRow extends FileRow {
  scriptSlug: string | null;
  scriptName: string | null;
  runStartedAt: Date | null;
  startedBy: string | null;
}

export type NewFile = Pick<
  StoredFile,
  | 'id'
  | 'workspaceId'
  | 'environmentId'
  | 'name'
  | 'type'
  | 'size'
  | 'sha256'
  | 'blobKey'
  | 'createdByUserId'
  | 'credentialId'
  | 'credentialName'
>;

@Injectable()
export class FilesRepository {
  constructor(
    @InjectRepository(StoredFile) private readonly files: Repository<StoredFile>,
    @InjectRepository(FileBlob) private readonly blobs: Repository<FileBlob>,
    private readonly database: Database,
  ) {}

  async insertUpload(file: NewFile): Promise<FileRow> {
    const row = await this.database.one<FileRow>(...INSERT_UPLOAD(file));
    return row!;
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

  async isRunUnfinished(runId: string): Promise<boolean> {
    const row = await this.database.one(`SELECT id FROM runs WHERE id = $1 AND phase <> 'finished'`, [runId]);
    return row !== null;
  }

  /** The bytes go within a minute, if no other file refers to them. */
  async delete({ id, blobKey }: FileRow): Promise<void> {
    await this.files.delete({ id });
    await this.blobs.update({ key: blobKey }, { checkAt: NOW });
  }
}

/** Sorts behind every file's id. */
const AFTER_ALL_IDS = 'fil~';

const INSERT_UPLOAD = named<NewFile>(`
  INSERT INTO files AS f (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key,
    created_by_user_id, credential_id, credential_name, expires_at)
  VALUES (:id, :workspaceId, :environmentId, 'in', :name, :type, :size, :sha256, :blobKey,
    :createdByUserId, :credentialId, :credentialName, now() + interval '1 day')
  RETURNING ${FILE}`);

const FIND = forEachViewer((visible) => `SELECT ${FILE} FROM files f WHERE ${visible} AND f.id = $4`);
const FIND_FOR_UPDATE = forEachViewer(
  (visible) => `SELECT ${FILE} FROM files f WHERE ${visible} AND f.id = $4 FOR UPDATE OF f`,
);

const LIST = forEachViewer(
  (visible) => `
    SELECT ${FILE}, s.slug AS "scriptSlug", s.name AS "scriptName", r.started_at AS "runStartedAt",
      CASE
        WHEN f.run_id IS NULL THEN COALESCE(f.credential_name, u.name)
        WHEN r.credential_type = 'oauth' THEN r.credential_name
        ELSE COALESCE(u.name, r.credential_name)
      END AS "startedBy"
    FROM files f
      LEFT JOIN runs r ON r.id = f.run_id
      LEFT JOIN scripts s ON s.id = r.script_id
      LEFT JOIN users u ON u.id = CASE WHEN f.run_id IS NULL THEN f.created_by_user_id ELSE r.started_by_user_id END
    WHERE ${visible} AND f.id < $4
    ORDER BY f.id DESC LIMIT $5`,
);
