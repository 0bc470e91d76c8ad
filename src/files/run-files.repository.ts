import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { named } from '../core/database/named-parameters.js';
import { Plans } from '../usage/index.js';
import { forEachViewer, viewerOf, viewerParameters } from './file-visibility.js';
import { FILE, type FileRow } from './files.repository.js';
import { StoredFile } from './stored-file.entity.js';

const CLAIMABLE = columns(StoredFile, 'f', 'id', 'name', 'size', 'blobKey');
export type ClaimableFile = RowOf<typeof CLAIMABLE>;

/** A place of a run's inputs that takes a file. */
export interface InputPlace {
  field: string;
  /** Among all files of the run's inputs, in the order in which they were given. */
  position: number;
}

/** A file that a run was given, and the input that it was given as. */
export type InputFile = ClaimableFile & Pick<InputPlace, 'field'>;

/** What is needed to record a file that a run wrote; its bytes are stored already. */
export type NewOutputFile = Pick<
  StoredFile,
  'id' | 'workspaceId' | 'environmentId' | 'name' | 'type' | 'size' | 'sha256' | 'blobKey'
> & { runId: string };

/** A copy of a file's record for a run, over the same bytes. */
type Copy = InputPlace & { id: string; sourceId: string; name: string };

@Injectable()
export class RunFilesRepository {
  constructor(
    @InjectRepository(StoredFile) private readonly files: Repository<StoredFile>,
    private readonly database: Database,
    private readonly plans: Plans,
  ) {}

  /** Those of the files that the caller may use in its environment. They cannot go until the transaction ends. */
  claimable(ids: string[], caller: WorkspaceCaller): Promise<ClaimableFile[]> {
    const parameters = [...viewerParameters(caller), ids, caller.environment.id];
    return this.database.query<ClaimableFile>(FIND_CLAIMABLE[viewerOf(caller)], parameters);
  }

  /** Gives unused uploads to a run. Returns the ids of those that it got: a file has one run only. */
  async takeOver(runId: string, uses: (InputPlace & { id: string })[]): Promise<Set<string>> {
    const rows = await this.database.query<Pick<StoredFile, 'id'>>(
      ...TAKE_OVER({
        runId,
        ids: uses.map(({ id }) => id),
        fields: uses.map(({ field }) => field),
        positions: uses.map(({ position }) => position),
        daysByPlan: this.daysByPlan,
      }),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Records of a run's own over the bytes of other files. */
  async insertCopies(runId: string, caller: WorkspaceCaller, copies: readonly Copy[]): Promise<void> {
    await this.database.execute(
      ...INSERT_COPIES({
        runId,
        userId: caller.person?.id ?? null,
        credentialId: caller.credentialId,
        credentialName: caller.credentialName,
        copies: JSON.stringify(copies),
        daysByPlan: this.daysByPlan,
      }),
    );
  }

  async inputsOf(runId: string): Promise<InputFile[]> {
    const files = await this.files.find({
      select: { id: true, field: true, name: true, blobKey: true, size: true },
      where: { runId, direction: 'in' },
      order: { position: 'ASC', id: 'ASC' },
    });
    return files.map((file) => ({ ...file, field: file.field! }));
  }

  /** A run's own records of what it was given, by their places among its inputs. */
  async inputRecords(runId: string): Promise<(InputPlace & { id: string })[]> {
    const records = await this.files.find({
      select: { id: true, field: true, position: true },
      where: { runId, direction: 'in' },
    });
    return records.map(({ id, field, position }) => ({ id, field: field!, position: position! }));
  }

  /** Inputs first, in the order in which they were given; then outputs in the order of their paths. */
  filesOf(runIds: readonly string[]): Promise<FileRow[]> {
    return this.database.query<FileRow>(FILES_OF_RUNS, [runIds]);
  }

  async insertOutputs(files: readonly NewOutputFile[]): Promise<void> {
    await this.database.execute(
      ...INSERT_OUTPUTS({ files: JSON.stringify(files), daysByPlan: this.daysByPlan }),
    );
  }

  private get daysByPlan(): string {
    return JSON.stringify(this.plans.retentionByPlan());
  }
}

/** Until when a file of a run is kept: as many days as the plan of its workspace says, by `:daysByPlan`. */
const keptUntil = (workspaceId: string): string => `now() + interval '1 day' * (
  SELECT COALESCE(:daysByPlan::jsonb ->> w.plan, :daysByPlan::jsonb ->> 'default')::integer
  FROM workspaces w WHERE w.id = ${workspaceId})`;

const FILES_OF_RUNS = `
  SELECT ${FILE} FROM files f WHERE f.run_id = ANY($1) AND f.expires_at > now()
  ORDER BY f.run_id DESC, f.direction, f.position, f.name COLLATE "C", f.id`;

/** A key share is enough to keep a file from being deleted, and lets many runs use the same one at once. */
const FIND_CLAIMABLE = forEachViewer(
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

const TAKE_OVER = named<Takeover>(`
  UPDATE files f
  SET run_id = :runId, field = use.field, position = use.position, expires_at = ${keptUntil('f.workspace_id')}
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

const INSERT_COPIES = named<Copying>(`
  INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id, field,
    position, created_by_user_id, credential_id, credential_name, expires_at)
  SELECT copy.id, f.workspace_id, f.environment_id, 'in', copy.name, f.type, f.size, f.sha256, f.blob_key, :runId,
    copy.field, copy.position, :userId, :credentialId, :credentialName, ${keptUntil('f.workspace_id')}
  FROM jsonb_to_recordset(:copies::jsonb) AS copy (id text, "sourceId" text, name text, field text, position integer)
    JOIN files f ON f.id = copy."sourceId"`);

const INSERT_OUTPUTS = named<{ files: string; daysByPlan: string }>(`
  INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id,
    created_by_user_id, credential_id, credential_name, expires_at)
  SELECT file.id, file."workspaceId", file."environmentId", 'out', file.name, file.type, file.size, file.sha256,
    file."blobKey", r.id, r.started_by_user_id, r.credential_id, r.credential_name, ${keptUntil('r.workspace_id')}
  FROM jsonb_to_recordset(:files::jsonb) AS file (id text, "runId" text, "workspaceId" text, "environmentId" text,
      name text, type text, size bigint, sha256 text, "blobKey" text)
    JOIN runs r ON r.id = file."runId"`);
