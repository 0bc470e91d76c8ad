import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { computed, CREATED, ID, oneOf } from '../core/database/entity-columns.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from './approval.status.js';

/** Something that waits, or waited, for a decision. */
@Entity('approval_requests')
@Index('approval_requests_by_role', ['workspaceId', 'leastRole', 'id'])
@Index('approval_requests_by_role_status', ['workspaceId', 'leastRole', 'status', 'id'])
@Index('approval_requests_expiry', ['expiresAt'], { where: `status IN ('pending', 'approved')` })
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
export class ApprovalRequest {
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  @Column(ID)
  environmentId!: string;

  @Column('text')
  action!: string;

  @Column('text')
  title!: string;

  @Column('text')
  summary!: string;

  @Column('text', { nullable: true })
  about!: string | null;

  @Column('json')
  input!: unknown;

  @Column('text')
  reason!: string;

  @Column('text', { default: 'pending' })
  status!: ApprovalStatus;

  @Column('text')
  leastRole!: 'owner' | 'admin' | 'member';

  @Column({ ...ID, nullable: true })
  scriptId!: string | null;

  @Column({ ...ID, nullable: true })
  scriptOwnerUserId!: string | null;

  @Column({ ...ID, nullable: true })
  requestedByUserId!: string | null;

  @Column({ ...ID, nullable: true })
  behindUserId!: string | null;

  @Column('text')
  credentialKind!: 'session' | 'personal_token' | 'api_key' | 'agent' | 'system';

  @Column({ ...ID, nullable: true })
  credentialId!: string | null;

  @Column({ ...ID, nullable: true })
  runId!: string | null;

  @Column('text', { nullable: true })
  secretName!: string | null;

  @Column('text', { nullable: true })
  secretEnvVar!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column(CREATED)
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  decidedAt!: Date | null;

  @Column({ ...ID, nullable: true })
  decidedByUserId!: string | null;

  @Column('text', { nullable: true })
  decisionReason!: string | null;

  @Column('json', { nullable: true })
  result!: unknown;

  @Column('boolean', { default: false })
  askerLast!: boolean;

  @Column(
    computed('octet_length(summary) + octet_length(input::text) + coalesce(octet_length(result::text), 0)'),
  )
  bytes!: number;
}
