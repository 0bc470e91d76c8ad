import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { CREATED, ID } from '../core/database/index.js';

/** Who a person is to a provider. An account is found by it, whatever address the provider gives them later. */
@Entity('external_identities')
@Index('external_identities_person', ['userId'])
@Unique('external_identities_one_per_person', ['way', 'issuer', 'userId'])
export class ExternalIdentity {
  @PrimaryColumn('text')
  way!: string;

  @PrimaryColumn('text')
  issuer!: string;

  @PrimaryColumn('text')
  subject!: string;

  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column(CREATED)
  createdAt!: Date;
}
