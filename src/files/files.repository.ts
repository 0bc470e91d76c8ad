import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { Database } from '../core/database/database.js';
import type { FileListRow, FileRow } from './file-presenter.js';
import { forEachViewer, viewerOf, viewerParameters } from './file-visibility.js';

export interface NewFile {
  id: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  type: string;
  size: number;
  sha256: string;
  blobKey: string;
  userId: string | null;
  credentialId: string;
  /** The key's or agent's name; null where a person acts. */
  credentialName: string | null;
}

export const FILE_COLUMNS = `
  f.id, f.workspace_id AS "workspaceId", f.direction, f.name, f.type, f.size, f.sha256, f.blob_key AS "blobKey",
  f.run_id AS "runId", f.field, f.created_at AS "createdAt", f.expires_at AS "expiresAt"`;

@Injectable()
export class FilesRepository {
  constructor(private readonly database: Database) {}

  async insertUpload(file: NewFile): Promise<FileRow> {
    const row = await this.database.one<FileRow>(INSERT_UPLOAD, [
      file.id,
      file.workspaceId,
      file.environmentId,
      file.name,
      file.type,
      file.size,
      file.sha256,
      file.blobKey,
      file.userId,
      file.credentialId,
      file.credentialName,
    ]);
    return row!;
  }

  find(id: string, caller: WorkspaceCaller): Promise<FileRow | null> {
    return this.database.one<FileRow>(FIND[viewerOf(caller)], [...viewerParameters(caller), id]);
  }

  /** For whoever holds a link: without a caller. */
  findLinked(id: string): Promise<FileRow | null> {
    return this.database.one<FileRow>(FIND_LINKED, [id]);
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
    await this.database.query('DELETE FROM files WHERE id = $1', [id]);
    await this.database.query('UPDATE file_blobs SET check_at = now() WHERE key = $1', [blobKey]);
  }
}

/** Sorts behind every file's id. */
const AFTER_ALL_IDS = 'fil~';

const INSERT_UPLOAD = `
  INSERT INTO files AS f (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key,
    created_by_user_id, credential_id, credential_name, expires_at)
  VALUES ($1, $2, $3, 'in', $4, $5, $6, $7, $8, $9, $10, $11, now() + interval '1 day')
  RETURNING ${FILE_COLUMNS}`;

const FIND_LINKED = `
  SELECT ${FILE_COLUMNS} FROM files f JOIN workspaces w ON w.id = f.workspace_id AND w.deleted_at IS NULL
  WHERE f.id = $1 AND f.expires_at > now()`;

const FIND = forEachViewer((visible) => `SELECT ${FILE_COLUMNS} FROM files f WHERE ${visible} AND f.id = $3`);
const FIND_FOR_UPDATE = forEachViewer(
  (visible) => `SELECT ${FILE_COLUMNS} FROM files f WHERE ${visible} AND f.id = $3 FOR UPDATE OF f`,
);

const LIST = forEachViewer(
  (visible) => `
    SELECT ${FILE_COLUMNS}, s.slug AS "scriptSlug", s.name AS "scriptName", r.started_at AS "runStartedAt",
      CASE
        WHEN f.run_id IS NULL THEN COALESCE(f.credential_name, u.name)
        WHEN r.credential_type = 'oauth' THEN r.credential_name
        ELSE COALESCE(u.name, r.credential_name)
      END AS "startedBy"
    FROM files f
      LEFT JOIN runs r ON r.id = f.run_id
      LEFT JOIN scripts s ON s.id = r.script_id
      LEFT JOIN users u ON u.id = CASE WHEN f.run_id IS NULL THEN f.created_by_user_id ELSE r.started_by_user_id END
    WHERE ${visible} AND f.id < $3
    ORDER BY f.id DESC LIMIT $4`,
);
