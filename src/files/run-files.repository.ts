import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { Database } from '../core/database/database.js';
import { Plans } from '../usage/index.js';
import type { FileRow } from './file-presenter.js';
import { forEachViewer, viewerOf, viewerParameters } from './file-visibility.js';
import { FILE_COLUMNS } from './files.repository.js';

export interface ClaimableFile {
  id: string;
  name: string;
  size: number;
  blobKey: string;
}

/** A place of a run's inputs that takes a file. */
export interface InputPlace {
  field: string;
  /** Among all files of the run's inputs, in the order in which they were given. */
  position: number;
}

export interface InputFile {
  id: string;
  /** The input that it was given as. */
  field: string;
  name: string;
  blobKey: string;
  /** In bytes. */
  size: number;
}

/** What is needed to record a file that a run wrote; its bytes are stored already. */
export interface NewOutputFile {
  id: string;
  runId: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  type: string;
  size: number;
  sha256: string;
  blobKey: string;
}

@Injectable()
export class RunFilesRepository {
  constructor(
    private readonly database: Database,
    private readonly plans: Plans,
  ) {}

  /** Those of the files that the caller may use in its environment. They cannot go until the transaction ends. */
  claimable(ids: string[], caller: WorkspaceCaller): Promise<ClaimableFile[]> {
    const parameters = [...viewerParameters(caller), ids, caller.environment.id];
    return this.database.query<ClaimableFile>(CLAIMABLE[viewerOf(caller)], parameters);
  }

  /** Gives unused uploads to a run. Returns the ids of those that it got: a file has one run only. */
  async takeOver(runId: string, uses: (InputPlace & { id: string })[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(TAKE_OVER, [
      runId,
      uses.map(({ id }) => id),
      uses.map(({ field }) => field),
      uses.map(({ position }) => position),
      this.daysByPlan,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Records of a run's own over the bytes of other files. */
  async insertCopies(
    runId: string,
    caller: WorkspaceCaller,
    copies: (InputPlace & { id: string; sourceId: string; name: string })[],
  ): Promise<void> {
    await this.database.query(INSERT_COPIES, [
      runId,
      caller.person?.id ?? null,
      caller.credentialId,
      caller.credentialName,
      copies.map(({ id }) => id),
      copies.map(({ sourceId }) => sourceId),
      copies.map(({ name }) => name),
      copies.map(({ field }) => field),
      copies.map(({ position }) => position),
      this.daysByPlan,
    ]);
  }

  inputsOf(runId: string): Promise<InputFile[]> {
    return this.database.query<InputFile>(
      `SELECT id, field, name, blob_key AS "blobKey", size FROM files
       WHERE run_id = $1 AND direction = 'in' ORDER BY position, id`,
      [runId],
    );
  }

  /** A run's own records of what it was given, by their places among its inputs. */
  inputRecords(runId: string): Promise<(InputPlace & { id: string })[]> {
    return this.database.query<InputPlace & { id: string }>(
      `SELECT id, field, position FROM files WHERE run_id = $1 AND direction = 'in'`,
      [runId],
    );
  }

  /** Inputs first, in the order in which they were given; then outputs in the order of their paths. */
  filesOf(runIds: readonly string[]): Promise<FileRow[]> {
    return this.database.query<FileRow>(
      `SELECT ${FILE_COLUMNS} FROM files f WHERE f.run_id = ANY($1) AND f.expires_at > now()
       ORDER BY f.run_id DESC, f.direction, f.position, f.name COLLATE "C", f.id`,
      [runIds],
    );
  }

  async insertOutputs(files: readonly NewOutputFile[]): Promise<void> {
    await this.database.query(INSERT_OUTPUTS, [JSON.stringify(files), this.daysByPlan]);
  }

  private get daysByPlan(): string {
    return JSON.stringify(this.plans.retentionByPlan());
  }
}

/**
 * Until when a file of a run is kept: as many days as the plan of its workspace says.
 *
 * @param days the parameter that holds each plan's days
 */
const keptUntil = (workspaceId: string, days: string): string => `now() + interval '1 day' * (
  SELECT COALESCE(${days}::jsonb ->> w.plan, ${days}::jsonb ->> 'default')::integer
  FROM workspaces w WHERE w.id = ${workspaceId})`;

/** A key share is enough to keep a file from being deleted, and lets many runs use the same one at once. */
const CLAIMABLE = forEachViewer(
  (visible) => `
    SELECT f.id, f.name, f.size, f.blob_key AS "blobKey" FROM files f
    WHERE ${visible} AND f.id = ANY($3) AND f.environment_id = $4
    ORDER BY f.id FOR KEY SHARE OF f`,
);

const TAKE_OVER = `
  UPDATE files f SET run_id = $1, field = use.field, position = use.position, expires_at = ${keptUntil('f.workspace_id', '$5')}
  FROM unnest($2::text[], $3::text[], $4::integer[]) AS use (id, field, position)
  WHERE f.id = use.id AND f.run_id IS NULL
  RETURNING f.id`;

const INSERT_COPIES = `
  INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id, field,
    position, created_by_user_id, credential_id, credential_name, expires_at)
  SELECT copy.id, f.workspace_id, f.environment_id, 'in', copy.name, f.type, f.size, f.sha256, f.blob_key, $1,
    copy.field, copy.position, $2, $3, $4, ${keptUntil('f.workspace_id', '$10')}
  FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::integer[]) AS copy (id, source, name, field, position)
    JOIN files f ON f.id = copy.source`;

const INSERT_OUTPUTS = `
  INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id,
    created_by_user_id, credential_id, credential_name, expires_at)
  SELECT file.id, file."workspaceId", file."environmentId", 'out', file.name, file.type, file.size, file.sha256,
    file."blobKey", r.id, r.started_by_user_id, r.credential_id, r.credential_name,
    ${keptUntil('r.workspace_id', '$2')}
  FROM jsonb_to_recordset($1::jsonb) AS file (id text, "runId" text, "workspaceId" text, "environmentId" text,
      name text, type text, size bigint, sha256 text, "blobKey" text)
    JOIN runs r ON r.id = file."runId"`;
