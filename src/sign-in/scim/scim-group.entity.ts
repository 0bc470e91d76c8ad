import { Column, Entity, Index, Unique } from 'typeorm';

import { CREATED, CreatedEntity } from '../../core/database/index.js';

/** A group of a company's directory. The settings say what it is here. */
@Entity('scim_groups')
@Index('scim_groups_external_id', ['way', 'externalId'])
@Index('scim_groups_list', ['way', 'id'])
@Unique('scim_groups_name_key', ['way', 'displayNameKey'])
export class ScimGroup extends CreatedEntity {
  @Column('text')
  way!: string;

  @Column('text')
  displayName!: string;

  /** Upper and lower case are the same in it. */
  @Column('text')
  displayNameKey!: string;

  @Column('text', { nullable: true })
  externalId!: string | null;

  @Column(CREATED)
  updatedAt!: Date;
}
