import { Injectable } from '@nestjs/common';

import { boundedPage } from '../../core/database/bounded-page.sql.js';
import { Database } from '../../core/database/database.js';
import type { JsonSchema } from '../../../libs/json-schema/index.js';
import type { ScriptViewer } from '../script-viewer.js';
import { scriptIsVisible } from '../../core/access/script-visibility.js';
import type { SecretUse } from './secret-uses.js';
import type { VersionOrigin } from './version-input.dto.js';

export interface VersionRow {
  id: string;
  number: number;
  command: string;
  build: string | null;
  buildLog: string | null;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema | null;
  archiveBytes: number;
  archiveSha256: string;
  timeoutSeconds: number;
  hosts: string[];
  secrets: Record<string, SecretUse>;
  env: string[];
  createdVia: VersionOrigin;
  published: boolean;
  publishedAt: Date | null;
  createdAt: Date;
}

export interface NewVersion {
  id: string;
  scriptId: string;
  number: number;
  command: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema | null;
  archiveKey: string;
  archiveBytes: number;
  archiveSha256: string;
  build: string | null;
  buildLog: string | null;
  depsKey: string | null;
  depsWhole: boolean;
  timeoutSeconds: number;
  hosts: string[];
  secrets: Record<string, SecretUse>;
  env: string[];
  readme: string | null;
  createdVia: VersionOrigin;
  createdByUserId: string | null;
}

/** Where the archive of a version lies. */
export interface ArchiveRow {
  key: string;
  sha256: string;
}

@Injectable()
export class VersionsRepository {
  constructor(private readonly database: Database) {}

  /** The script's next number. Its row stays locked until the transaction ends, so numbers have no gaps. */
  async nextNumber(scriptId: string, tags: readonly string[] | null): Promise<number> {
    const row = await this.database.one<{ number: number }>(
      `UPDATE scripts SET last_version = last_version + 1, tags = COALESCE($2, tags), updated_at = now()
       WHERE id = $1 RETURNING last_version AS number`,
      [scriptId, tags],
    );
    return row!.number;
  }

  async insert(version: NewVersion): Promise<void> {
    await this.database.execute(INSERT, [
      version.id,
      version.scriptId,
      version.number,
      version.command,
      JSON.stringify(version.inputSchema),
      version.outputSchema && JSON.stringify(version.outputSchema),
      version.archiveKey,
      version.archiveBytes,
      version.archiveSha256,
      version.timeoutSeconds,
      version.hosts,
      JSON.stringify(version.secrets),
      version.env,
      version.readme,
      version.createdVia,
      version.createdByUserId,
      version.build,
      version.buildLog,
      version.depsKey,
      version.depsWhole,
    ]);
  }

  list(scriptId: string, after: string | null, count: number): Promise<VersionRow[]> {
    return this.database.query<VersionRow>(LIST, [scriptId, after, count]);
  }

  find(viewer: ScriptViewer, slug: string, number: number): Promise<VersionRow | null> {
    return this.database.one<VersionRow>(FIND, [
      viewer.workspaceId,
      viewer.role,
      viewer.userId,
      slug,
      number,
    ]);
  }

  findById(viewer: ScriptViewer, id: string): Promise<VersionRow | null> {
    return this.database.one<VersionRow>(FIND_BY_ID, [viewer.workspaceId, viewer.role, viewer.userId, id]);
  }

  findArchive(viewer: ScriptViewer, slug: string, number: number): Promise<ArchiveRow | null> {
    return this.database.one<ArchiveRow>(FIND_ARCHIVE, [
      viewer.workspaceId,
      viewer.role,
      viewer.userId,
      slug,
      number,
    ]);
  }

  async idOf(scriptId: string, number: number): Promise<string | null> {
    const row = await this.database.one<{ id: string }>(
      'SELECT id FROM script_versions WHERE script_id = $1 AND number = $2',
      [scriptId, number],
    );
    return row?.id ?? null;
  }

  async markPublished(versionId: string): Promise<void> {
    await this.database.execute('UPDATE script_versions SET published_at = now() WHERE id = $1', [versionId]);
  }
}

const COLUMNS = `
  v.id, v.number, v.command, v.build, v.build_log AS "buildLog", v.input_schema AS "inputSchema",
  v.output_schema AS "outputSchema", v.archive_bytes AS "archiveBytes", v.archive_sha256 AS "archiveSha256",
  v.timeout_seconds AS "timeoutSeconds", v.hosts, v.secrets, v.env, v.created_via AS "createdVia",
  v.number IS NOT DISTINCT FROM s.published_version AS published, v.published_at AS "publishedAt",
  v.created_at AS "createdAt"`;

const FROM = 'FROM script_versions v JOIN scripts s ON s.id = v.script_id';
const VISIBLE = `s.workspace_id = $1 AND ${scriptIsVisible({ alias: 's', roleParameter: '$2', userParameter: '$3' })}`;

const LIST = boundedPage({
  candidates: `
    SELECT v.id, v.input_schema_bytes + v.other_bytes AS bytes FROM script_versions v
    WHERE v.script_id = $1 AND ($2::text IS NULL OR v.id < $2) ORDER BY v.id DESC LIMIT $3`,
  columns: COLUMNS,
  tables: 'FROM page JOIN script_versions v ON v.id = page.id JOIN scripts s ON s.id = v.script_id',
});
const FIND = `SELECT ${COLUMNS} ${FROM} WHERE ${VISIBLE} AND s.slug = $4 AND v.number = $5`;
const FIND_BY_ID = `SELECT ${COLUMNS} ${FROM} WHERE ${VISIBLE} AND v.id = $4`;
const FIND_ARCHIVE = `
  SELECT v.archive_key AS key, v.archive_sha256 AS sha256 ${FROM}
  WHERE ${VISIBLE} AND s.slug = $4 AND v.number = $5`;

const INSERT = `
  INSERT INTO script_versions (id, script_id, number, command, input_schema, output_schema, archive_key, archive_bytes,
    archive_sha256, timeout_seconds, hosts, secrets, env, readme, created_via, created_by_user_id,
    build, build_log, deps_key, deps_whole)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`;
