import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryDeepPartialEntity, Repository, SelectQueryBuilder } from 'typeorm';

import { scriptVisibleTo } from '../../core/access/index.js';
import { Database, NOW, returnedRow } from '../../core/database/index.js';
import { Script } from '../script.entity.js';
import type { ScriptViewer } from '../script-viewer.js';
import { ScriptVersion } from './script-version.entity.js';
import { LIST_VERSIONS, SHOWN, type VersionRow } from './versions.sql.js';

/** What a version is called to those who remember the responses to repeated requests. */
export const VERSION_RESOURCE = 'script_version';

export type NewVersion = Omit<
  ScriptVersion,
  'script' | 'createdBy' | 'publishedAt' | 'trialUntil' | 'createdAt' | 'inputSchemaBytes' | 'otherBytes'
>;

@Injectable()
export class VersionsRepository {
  constructor(
    @InjectRepository(Script) private readonly scripts: Repository<Script>,
    @InjectRepository(ScriptVersion) private readonly versions: Repository<ScriptVersion>,
    private readonly database: Database,
  ) {}

  /** The script's next number. Its row stays locked until the transaction ends, so numbers have no gaps. */
  async nextNumber(scriptId: string, tags: readonly string[] | null): Promise<number> {
    const counting = this.scripts
      .createQueryBuilder()
      .update()
      .set({
        lastVersion: () => 'last_version + 1',
        tags: () => 'COALESCE(:tags, tags)',
        revision: () => 'revision + CASE WHEN :tags <> tags THEN 1 ELSE 0 END',
        updatedAt: NOW,
      })
      .where({ id: scriptId })
      .setParameters({ tags });
    return (await returnedRow(counting, 'lastVersion'))!.lastVersion;
  }

  async insert(version: NewVersion): Promise<void> {
    // A JSON Schema is a value here, not an entity of which a part might be given.
    await this.versions.insert(version as QueryDeepPartialEntity<ScriptVersion>);
  }

  list(scriptId: string, after: string | null, count: number): Promise<VersionRow[]> {
    return this.database.query<VersionRow>(LIST_VERSIONS, [scriptId, after, count]);
  }

  find(viewer: ScriptViewer, slug: string, number: number): Promise<VersionRow | null> {
    return read(this.bySlug(viewer, slug, number));
  }

  findById(viewer: ScriptViewer, id: string): Promise<VersionRow | null> {
    return read(this.visibleTo(viewer).andWhere('v.id = :id AND v.number IS NOT NULL', { id }));
  }

  /** Where the archive of a version lies. */
  findArchive(
    viewer: ScriptViewer,
    slug: string,
    number: number,
  ): Promise<Pick<ScriptVersion, 'archiveKey' | 'archiveSha256'> | null> {
    return this.bySlug(viewer, slug, number).select(['v.id', 'v.archiveKey', 'v.archiveSha256']).getOne();
  }

  /** What its runs may use. */
  askedOf(
    scriptId: string,
    number: number,
  ): Promise<Pick<ScriptVersion, 'id' | 'timeoutSeconds' | 'resources'> | null> {
    const select = { id: true, timeoutSeconds: true, resources: true } as const;
    return this.versions.findOne({ select, where: { scriptId, number } });
  }

  async markPublished(id: string): Promise<void> {
    await this.versions.update({ id }, { publishedAt: NOW });
  }

  private bySlug(viewer: ScriptViewer, slug: string, number: number): SelectQueryBuilder<ScriptVersion> {
    return this.visibleTo(viewer).andWhere('s.slug = :slug AND v.number = :number', { slug, number });
  }

  private visibleTo(viewer: ScriptViewer): SelectQueryBuilder<ScriptVersion> {
    return this.versions
      .createQueryBuilder('v')
      .innerJoin('v.script', 's')
      .where('s.workspaceId = :workspaceId', { workspaceId: viewer.workspaceId })
      .andWhere(...scriptVisibleTo('s', viewer));
  }
}

async function read(query: SelectQueryBuilder<ScriptVersion>): Promise<VersionRow | null> {
  const shown = SHOWN.map((property) => `v.${property}`);
  const found = await query
    .leftJoin('v.createdBy', 'u')
    .select([...shown, 's.id', 's.publishedVersion', 'u.id', 'u.name'])
    .getOne();
  if (!found) return null;
  const { script, createdBy, ...version } = found;
  const number = version.number!;
  const published = number === script!.publishedVersion;
  return { ...version, number, published, createdByName: createdBy?.name ?? null };
}
