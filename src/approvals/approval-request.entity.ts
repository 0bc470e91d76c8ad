import { Check, Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';

import type { User } from '../auth/index.js';
import type { CallerKind, Role } from '../core/access/index.js';
import { computed, CreatedEntity, ID, oneOf } from '../core/database/index.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from './approval.status.js';

/** Something that waits, or waited, for a decision. */
@Entity('approval_requests')
@Index('approval_requests_by_role', ['workspaceId', 'leastRole', 'id'])
@Index('approval_requests_by_role_status', ['workspaceId', 'leastRole', 'status', 'id'])
@Index('approval_requests_compared', ['comparedBy', 'status', 'id'], { where: 'compared_by IS NOT NULL' })
@Index('approval_requests_expiry', ['expiresAt'], { where: `status IN ('pending', 'approved')` })
@Index('approval_requests_of_run', ['runId'], { where: `action = 'request.send'` })
@Index('approval_requests_own', ['workspaceId', 'requestedByUserId', 'id'])
@Index('approval_requests_own_status', ['workspaceId', 'requestedByUserId', 'status', 'id'])
@Index('approval_requests_script', ['workspaceId', 'scriptOwnerUserId', 'id'], {
  where: 'script_owner_user_id IS NOT NULL',
})
@Index('approval_requests_script_status', ['workspaceId', 'scriptOwnerUserId', 'status', 'id'], {
  where: 'script_owner_user_id IS NOT NULL',
})
@Check(
  'approval_requests_credential_kind_check',
  oneOf('credential_kind', ['session', 'personal_token', 'api_key', 'agent', 'system']),
)
@Check('approval_requests_least_role_check', oneOf('least_role', ['owner', 'admin', 'member']))
@Check('approval_requests_status_check', oneOf('status', APPROVAL_STATUSES))
export class ApprovalRequest extends CreatedEntity {
  @Column(ID)
  workspaceId!: string;

  /** Where it is to be done. */
  @Column(ID)
  environmentId!: string;

  /** The id of an approval action. */
  @Column('text')
  action!: string;

  @Column('text')
  title!: string;

  /** Exactly what will happen, as the person who decides reads it. */
  @Column('text')
  summary!: string;

  /** What the summary depends on: looked at again before the action is performed. null: the input says it all. */
  @Column('text', { nullable: true })
  about!: string | null;

  /** Not jsonb, which forgets the order of the fields. */
  @Column('json')
  input!: Record<string, unknown>;

  /** The same for requests of which each is compared with the last one that was approved. null: this one is not, or its input is no longer kept. */
  @Column('text', { nullable: true })
  comparedBy!: string | null;

  @Column('text')
  reason!: string;

  @Column('text', { default: 'pending' })
  status!: ApprovalStatus;

  /** The lowest role whose yes counts. */
  @Column('text')
  leastRole!: Role;

  /** Besides that role, the owner of this script may decide, as long as they see it. */
  @Column({ ...ID, nullable: true })
  scriptId!: string | null;

  @Column({ ...ID, nullable: true })
  scriptOwnerUserId!: string | null;

  /** null for an API key, also where a schedule or trigger asks that one made. */
  @Column({ ...ID, nullable: true })
  requestedByUserId!: string | null;

  /** The person who asked, or made the API key that did: not a second person. */
  @Column({ ...ID, nullable: true })
  behindUserId!: string | null;

  @Column('text')
  credentialKind!: CallerKind | 'system';

  @Column({ ...ID, nullable: true })
  credentialId!: string | null;

  /** The key's, token's or app's; null in the app, and for schedules and triggers. */
  @Column('text', { nullable: true })
  credentialName!: string | null;

  /** The run that it is about: a held one, or the one of which a request waits. */
  @Column({ ...ID, nullable: true })
  runId!: string | null;

  /** What the secret is called that the action makes; null: it makes none. */
  @Column('text', { nullable: true })
  secretName!: string | null;

  /** The environment variable that a command line keeps the secret in. */
  @Column('text', { nullable: true })
  secretEnvVar!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  decidedAt!: Date | null;

  /** Who approved or denied it. Redeeming changes nothing of this. */
  @Column({ ...ID, nullable: true })
  decidedByUserId!: string | null;

  @ManyToOne('User', { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'decided_by_user_id' })
  decidedBy!: User | null;

  @Column('text', { nullable: true })
  decisionReason!: string | null;

  /** What it came to, never a secret; `{error}` where it failed. */
  @Column('json', { nullable: true })
  result!: Record<string, unknown> | null;

  /** Who asked may decide only where nobody else could. */
  @Column('boolean', { default: false })
  askerLast!: boolean;

  /** What it adds to the size of a list's page. */
  @Column(
    computed('octet_length(summary) + octet_length(input::text) + coalesce(octet_length(result::text), 0)'),
  )
  bytes!: number;
}
