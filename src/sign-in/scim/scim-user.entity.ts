import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../../core/database/index.js';
import type { ScimProfile } from './user-attributes.js';

/** An account that a company's directory manages. One directory at most manages an account. */
@Entity('scim_users')
@Index('scim_users_name', ['way', 'userNameKey'], { unique: true, where: 'deleted_at IS NULL' })
@Index('scim_users_external_id', ['way', 'externalId'], { where: 'deleted_at IS NULL' })
@Index('scim_users_email', ['way', 'emailKey'], { where: 'deleted_at IS NULL' })
@Index('scim_users_list', ['way', 'userId'], { where: 'deleted_at IS NULL' })
@Check('scim_users_profile_check', 'octet_length(profile::text) <= 20000')
export class ScimUser {
  /** What the directory knows the person by, too. */
  @ForeignKey('User')
  @PrimaryColumn(ID)
  userId!: string;

  /** The id of the provider of the settings. */
  @Column('text')
  way!: string;

  @Column('text')
  userName!: string;

  /** Upper and lower case are the same in it. */
  @Column('text')
  userNameKey!: string;

  @Column('text', { nullable: true })
  externalId!: string | null;

  /** Of the address at work, with upper and lower case the same. */
  @Column('text', { nullable: true })
  emailKey!: string | null;

  @Column('jsonb', { default: {} })
  profile!: ScimProfile;

  @Column('boolean', { default: true })
  active!: boolean;

  /** Whether it was the directory that disabled the account: only then it enables it again. */
  @Column('boolean', { default: false })
  disabledAccount!: boolean;

  /** Since when the directory manages it no more; null: it does. */
  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column(CREATED)
  updatedAt!: Date;
}
