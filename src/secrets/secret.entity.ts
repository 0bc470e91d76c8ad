import { Check, Column, Entity, Index, OneToMany, Unique } from 'typeorm';

import { AttributedEntity, CREATED, ID, oneOf } from '../core/database/index.js';
import { SECRET_KINDS, type SecretKind } from './secret-kind.js';
import type { SecretValue } from './secret-value.entity.js';

/** The name of a secret, which has a value per environment. */
@Entity('secrets')
@Index('secrets_list', ['workspaceId', 'id'])
@Unique('secrets_name_key', ['workspaceId', 'name'])
@Check('secrets_kind_check', oneOf('kind', SECRET_KINDS))
export class Secret extends AttributedEntity {
  @Column(ID)
  name!: string;

  /** What its values are. It never changes. */
  @Column('text', { default: 'text' })
  kind!: SecretKind;

  /** Whether scripts may read it as an environment variable. */
  @Column('boolean')
  allowEnv!: boolean;

  @Column(CREATED)
  updatedAt!: Date;

  @OneToMany('SecretValue', 'secret')
  values?: SecretValue[];
}
