import { columns, type RowOf } from '../core/database/index.js';
import { forEachViewer } from './file-visibility.js';
import { StoredFile } from './stored-file.entity.js';

export const SHOWN = [
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
] as const;

export const FILE = columns(StoredFile, 'f', ...SHOWN);

export type FileRow = RowOf<typeof FILE>;

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

/** SQL, as all here, since it has a text for each kind of viewer, by the index that serves it. */
export const FIND = forEachViewer((visible) => `SELECT ${FILE} FROM files f WHERE ${visible} AND f.id = $4`);
export const FIND_FOR_UPDATE = forEachViewer(
  (visible) => `SELECT ${FILE} FROM files f WHERE ${visible} AND f.id = $4 FOR UPDATE OF f`,
);

export const LIST = forEachViewer(
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
