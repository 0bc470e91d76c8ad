import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';

import type { User } from '../../auth/index.js';
import type { Role } from '../../core/access/index.js';
import { CreatedEntity, ID, oneOf } from '../../core/database/index.js';
import type { Workspace } from '../workspace.entity.js';

/** An invitation to a workspace by mail address. Only the hash of its token is kept. */
@Entity('invitations')
@Index('invitations_address', ['workspaceId', 'email'], {
  unique: true,
  where: 'accepted_at IS NULL AND declined_at IS NULL',
})
@Index('invitations_invited', ['email'], { where: 'accepted_at IS NULL AND declined_at IS NULL' })
@Index('invitations_expiry', ['expiresAt'])
@Index('invitations_open', ['workspaceId', 'id'], { where: 'accepted_at IS NULL AND declined_at IS NULL' })
@Unique('invitations_token_key', ['tokenHash'])
@Check('invitations_role_check', oneOf('role', ['owner', 'admin', 'member', 'guest']))
export class Invitation extends CreatedEntity {
  @Column(ID)
  workspaceId!: string;

  @ManyToOne('Workspace')
  @JoinColumn({ name: 'workspace_id' })
  workspace?: Workspace;

  /** As `normalizeEmail` has it. */
  @Column('text')
  email!: string;

  /** null: a member. */
  @Column('text', { nullable: true })
  role!: Role | null;

  /** The teams joined on accepting, besides the default one. */
  @Column('text', { array: true, default: () => "'{}'" })
  teamIds!: string[];

  @Column('bytea')
  tokenHash!: Buffer;

  /** null: nobody in person. */
  @Column({ ...ID, nullable: true })
  invitedBy!: string | null;

  @ManyToOne('User')
  @JoinColumn({ name: 'invited_by' })
  inviter?: User | null;

  /** Its link is in a mail to the address, and nowhere else. */
  @Column('boolean', { default: false })
  mailed!: boolean;

  /** Of the app that asked for it: it is open as long as that may act. */
  @ForeignKey('AgentGrant')
  @Column({ ...ID, nullable: true })
  grantId!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  acceptedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  declinedAt!: Date | null;
}
