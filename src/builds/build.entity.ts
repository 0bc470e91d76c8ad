import { Check, Column, Entity, Index } from 'typeorm';

import { ID, oneOf, WorkspaceEntity } from '../core/database/index.js';
import type { BuildRecipe } from './build-recipe.js';
import { BUILD_STATUSES, type BuildStatus } from './build.status.js';

/** The installation of what versions of the same content depend on. */
@Entity('builds')
@Index('builds_content', ['workspaceId', 'contentKey'], { unique: true, where: `status <> 'failed'` })
@Index('builds_failed', ['finishedAt'], { where: `status = 'failed'` })
@Index('builds_leases', ['leaseUntil'], { where: `status = 'running'` })
@Index('builds_lost', ['workspaceId', 'contentKey'], { where: `status = 'failed' AND losses > 0` })
@Index('builds_queue', ['runtime', 'workspaceId', 'id'], { where: `status = 'queued'` })
@Index('builds_taken', ['workspaceId', 'workerId'], { where: `status = 'running'` })
@Check('builds_layer_check', `(status = 'succeeded') = (deps_key IS NOT NULL)`)
@Check('builds_status_check', oneOf('status', BUILD_STATUSES))
export class Build extends WorkspaceEntity {
  /** Nobody gets what was built for another workspace: what an installation makes is only as good as who asked for it. */
  /** What the installation is known by: the recipe, the bytes that it sees, and the runtime. */
  @Column('text')
  contentKey!: string;

  /** What it is made for: system, Python and Node. */
  @Column('text')
  runtime!: string;

  @Column('json')
  recipe!: BuildRecipe;

  /** Where the archive lies in the `BlobStore`. */
  @Column('text')
  archiveKey!: string;

  @Column('text', { default: 'queued' })
  status!: BuildStatus;

  /** The end of what the installation printed. */
  @Column('text', { default: '' })
  log!: string;

  /** Why it failed, for whoever asked for it; null where it was the worker that failed. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Where what was installed lies in the `BlobStore`. */
  @Column('text', { nullable: true })
  depsKey!: string | null;

  @Column('integer', { nullable: true })
  depsBytes!: number | null;

  /** Counts how often it was taken; a worker's writes name it, so that one that lost the build writes nothing. */
  @Column('integer', { default: 0 })
  claim!: number;

  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  /** How many workers were lost while they had it. */
  @Column('integer', { default: 0 })
  losses!: number;
}
