import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryDeepPartialEntity, Repository } from 'typeorm';

import { scriptIsVisible } from '../../core/access/index.js';
import { boundedPage, columns, Database, NOW, type RowOf } from '../../core/database/index.js';
import { Script } from '../script.entity.js';
import type { ScriptViewer } from '../script-viewer.js';
import { ScriptVersion } from './script-version.entity.js';

/** What a version is called to those who remember the responses to repeated requests. */
export const VERSION_RESOURCE = 'script_version';

const VERSION = columns(
  ScriptVersion,
  'v',
  'id',
  'number',
  'command',
  'build',
  'buildLog',
  'inputSchema',
  'outputSchema',
  'archiveBytes',
  'archiveSha256',
  'timeoutSeconds',
  'hosts',
  'hostRules',
  'secrets',
  'env',
  'createdVia',
  'publishedAt',
  'createdAt',
);

/** `published`: whether runs use it now. */
export type VersionRow = RowOf<typeof VERSION> & { published: boolean };

export type NewVersion = Omit<ScriptVersion, 'publishedAt' | 'createdAt' | 'inputSchemaBytes' | 'otherBytes'>;

@Injectable()
export class VersionsRepository {
  constructor(
    @InjectRepository(ScriptVersion) private readonly versions: Repository<ScriptVersion>,
    private readonly database: Database,
  ) {}

  /** The script's next number. Its row stays locked until the transaction ends, so numbers have no gaps. */
  async nextNumber(scriptId: string, tags: readonly string[] | null): Promise<number> {
    const row = await this.database.one<{ number: number }>(NEXT_NUMBER, [scriptId, tags]);
    return row!.number;
  }

  async insert(version: NewVersion): Promise<void> {
    // A JSON Schema is a value here, not an entity of which a part might be given.
    await this.versions.insert(version as QueryDeepPartialEntity<ScriptVersion>);
  }

  list(scriptId: string, after: string | null, count: number): Promise<VersionRow[]> {
    return this.database.query<VersionRow>(LIST, [scriptId, after, count]);
  }

  find(
    { workspaceId, role, userId }: ScriptViewer,
    slug: string,
    number: number,
  ): Promise<VersionRow | null> {
    return this.database.one<VersionRow>(FIND, [workspaceId, role, userId, slug, number]);
  }

  findById({ workspaceId, role, userId }: ScriptViewer, id: string): Promise<VersionRow | null> {
    return this.database.one<VersionRow>(FIND_BY_ID, [workspaceId, role, userId, id]);
  }

  /** Where the archive of a version lies. */
  findArchive(
    { workspaceId, role, userId }: ScriptViewer,
    slug: string,
    number: number,
  ): Promise<Pick<ScriptVersion, 'archiveKey' | 'archiveSha256'> | null> {
    return this.versions
      .createQueryBuilder('v')
      .select(['v.id', 'v.archiveKey', 'v.archiveSha256'])
      .innerJoin(Script, 's', 's.id = v.scriptId')
      .where('s.workspaceId = :workspaceId AND s.slug = :slug', { workspaceId, slug })
      .andWhere(scriptIsVisible({ alias: 's', roleParameter: ':role', userParameter: ':userId' }))
      .andWhere('v.number = :number')
      .setParameters({ role, userId, number })
      .getOne();
  }

  async idOf(scriptId: string, number: number): Promise<string | null> {
    const version = await this.versions.findOne({ select: { id: true }, where: { scriptId, number } });
    return version?.id ?? null;
  }

  async markPublished(id: string): Promise<void> {
    await this.versions.update({ id }, { publishedAt: NOW });
  }
}

const PRESENTED = `${VERSION}, v.number IS NOT DISTINCT FROM s.published_version AS published`;
const FROM = 'FROM script_versions v JOIN scripts s ON s.id = v.script_id';
const VISIBLE = `s.workspace_id = $1 AND ${scriptIsVisible({ alias: 's', roleParameter: '$2', userParameter: '$3' })}`;

const NEXT_NUMBER = `
  UPDATE scripts SET last_version = last_version + 1, tags = COALESCE($2, tags), updated_at = now(),
    revision = revision + CASE WHEN $2 <> tags THEN 1 ELSE 0 END
  WHERE id = $1 RETURNING last_version AS number`;

const LIST = boundedPage({
  candidates: `
    SELECT v.id, v.input_schema_bytes + v.other_bytes + octet_length(v.host_rules::text) AS bytes FROM script_versions v
    WHERE v.script_id = $1 AND ($2::text IS NULL OR v.id < $2) ORDER BY v.id DESC LIMIT $3`,
  columns: PRESENTED,
  tables: 'FROM page JOIN script_versions v ON v.id = page.id JOIN scripts s ON s.id = v.script_id',
});
const FIND = `SELECT ${PRESENTED} ${FROM} WHERE ${VISIBLE} AND s.slug = $4 AND v.number = $5`;
const FIND_BY_ID = `SELECT ${PRESENTED} ${FROM} WHERE ${VISIBLE} AND v.id = $4`;
