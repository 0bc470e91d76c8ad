import { Column, Entity, Unique } from 'typeorm';

import { AttributedEntity, CREATED } from '../core/database/index.js';

/** The authorities by which a workspace checks the certificates of one host, in place of all others. */
@Entity('host_authorities')
@Unique('host_authorities_host_key', ['workspaceId', 'host'])
export class HostAuthorities extends AttributedEntity {
  /** In its one form, as versions declare hosts. */
  @Column('text')
  host!: string;

  /** PEM, nothing but certificates. */
  @Column('text')
  certificates!: string;

  @Column(CREATED)
  updatedAt!: Date;
}
