import type { ScriptRetention } from './script-retention.js';
import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { APPROVAL_POLICIES, type ApprovalPolicy } from '../core/access/index.js';
import { CREATED, ID, oneOf, WorkspaceEntity } from '../core/database/index.js';
import type { AskRule } from './ask-rule.js';
import { SCRIPT_ACCESS, type ScriptAccess } from './script-access.js';
import { SCRIPT_STATUSES, type ScriptStatus } from './script.status.js';

/** A versioned program. */
@Entity('scripts')
@Index('scripts_by_queue', ['workspaceId', 'queue'], { where: 'queue IS NOT NULL' })
@Index('scripts_by_status', ['workspaceId', 'status', 'id'])
@Index('scripts_by_tag', ['tags'], { type: 'gin' })
@Index('scripts_by_team', ['teamIds'], { type: 'gin', where: `access = 'teams'` })
@Index('scripts_list', ['workspaceId', 'id'])
@Unique('scripts_slug_key', ['workspaceId', 'slug'])
@Check('scripts_access_check', oneOf('access', SCRIPT_ACCESS))
@Check('scripts_approval_policy_check', oneOf('approval_policy', APPROVAL_POLICIES))
@Check('scripts_status_check', oneOf('status', SCRIPT_STATUSES))
export class Script extends WorkspaceEntity {
  /** Unique in the workspace, archived scripts included. It never changes. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: '' })
  description!: string;

  @Column('text', { default: 'draft' })
  status!: ScriptStatus;

  /** Who made it; null for an API key. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  ownerUserId!: string | null;

  /** The number of the version that runs use; null unless the script is published. */
  @Column('integer', { nullable: true })
  publishedVersion!: number | null;

  @Column('text', { default: 'workspace' })
  access!: ScriptAccess;

  /** The teams that it is shared with; empty unless `access` is `teams`. */
  @Column({ ...ID, array: true, default: () => "'{}'" })
  teamIds!: string[];

  /** Which of its runs wait for a person; the environment's policy counts as well. */
  @Column('text', { default: 'none' })
  approvalPolicy!: ApprovalPolicy;

  /** Runs with which inputs wait for a person, whatever the policies say; null: none for that reason. */
  @Column('json', { nullable: true })
  ask!: AskRule | null;

  /** The name of the queue in which its runs wait; null: in none. */
  @Column('text', { nullable: true })
  queue!: string | null;

  /** For how long its runs are kept, where that is less than the plan says; null: as the plan says. */
  @Column('jsonb', { nullable: true })
  retention!: ScriptRetention | null;

  @Column('text', { array: true, default: () => "'{}'" })
  tags!: string[];

  /** The highest number given to a version; 0 before the first. */
  @Column('integer', { default: 0 })
  lastVersion!: number;

  /** How often its settings were changed; 1 at first. */
  @Column('integer', { default: 1 })
  revision!: number;

  /** When the script was last changed, got a version, or was published. */
  @Column(CREATED)
  updatedAt!: Date;
}
