import { columns, named, type RowOf } from '../core/database/index.js';
import { forEachViewer } from './file-visibility.js';
import { FILE } from './files.sql.js';
import { StoredFile } from './stored-file.entity.js';

const CLAIMABLE = columns(StoredFile, 'f', 'id', 'name');
export type ClaimableFile = RowOf<typeof CLAIMABLE>;

/** Until when a file of a run is kept: as many days as the plan of its workspace says, by `:daysByPlan`. */
const keptUntil = (workspaceId: string, from = 'now()'): string => `${from} + interval '1 day' * (
  SELECT COALESCE(:daysByPlan::jsonb ->> w.plan, :daysByPlan::jsonb ->> 'default')::integer
  FROM workspaces w WHERE w.id = ${workspaceId})`;

/** A run that starts later keeps what it was given from then on. */
const STARTED = 'GREATEST(now(), (SELECT r.start_at FROM runs r WHERE r.id = :runId))';

/** SQL, since it is hot: each run that is shown is shown with its files. */
export const FILES_OF_RUNS = `
  SELECT ${FILE} FROM files f WHERE f.run_id = ANY($1) AND f.expires_at > now()
  ORDER BY f.run_id DESC, f.direction, f.position, f.name COLLATE "C", f.id`;

/**
 * SQL, since it has a text for each kind of viewer. A key share is enough to keep a file from being deleted, and lets many runs use the
 * same one at once.
 */
export const FIND_CLAIMABLE = forEachViewer(
  (visible) => `
    SELECT ${CLAIMABLE} FROM files f
    WHERE ${visible} AND f.id = ANY($4) AND f.environment_id = $5
    ORDER BY f.id FOR KEY SHARE OF f`,
);

interface Takeover {
  runId: string;
  ids: string[];
  fields: string[];
  positions: number[];
  daysByPlan: string;
}

/** SQL: each file gets values of its own, and is kept for as long as a plan says. */
export const TAKE_OVER = named<Takeover>(`
  UPDATE files f
  SET run_id = :runId, field = use.field, position = use.position, expires_at = ${keptUntil('f.workspace_id', STARTED)}
  FROM unnest(:ids::text[], :fields::text[], :positions::integer[]) AS use (id, field, position)
  WHERE f.id = use.id AND f.run_id IS NULL
  RETURNING f.id`);

interface Copying {
  runId: string;
  userId: string | null;
  credentialId: string;
  credentialName: string | null;
  copies: string;
  daysByPlan: string;
}

/** SQL: what a copy has in common with its source is not read to be written again. */
export const INSERT_COPIES = named<Copying>(`
  INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id, field,
    position, created_by_user_id, credential_id, credential_name, expires_at)
  SELECT copy.id, f.workspace_id, f.environment_id, 'in', copy.name, f.type, f.size, f.sha256, f.blob_key, :runId,
    copy.field, copy.position, :userId, :credentialId, :credentialName, ${keptUntil('f.workspace_id', STARTED)}
  FROM jsonb_to_recordset(:copies::jsonb) AS copy (id text, "sourceId" text, name text, field text, position integer)
    JOIN files f ON f.id = copy."sourceId"`);

/** SQL: what a file has in common with its run is not read to be written again. */
export const INSERT_OUTPUTS = named<{ files: string; daysByPlan: string }>(`
  INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id,
    created_by_user_id, credential_id, credential_name, expires_at)
  SELECT file.id, file."workspaceId", file."environmentId", 'out', file.name, file.type, file.size, file.sha256,
    file."blobKey", r.id, r.started_by_user_id, r.credential_id, r.credential_name, ${keptUntil('r.workspace_id')}
  FROM jsonb_to_recordset(:files::jsonb) AS file (id text, "runId" text, "workspaceId" text, "environmentId" text,
      name text, type text, size bigint, sha256 text, "blobKey" text)
    JOIN runs r ON r.id = file."runId"`);
