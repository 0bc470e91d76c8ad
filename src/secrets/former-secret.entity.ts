import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/entity-columns.js';

/** What a secret's value was limited to in an environment until it was deleted. */
@Entity('former_secrets')
export class FormerSecret {
  @ForeignKey('Workspace')
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn('text')
  name!: string;

  @ForeignKey('Environment')
  @PrimaryColumn(ID)
  environmentId!: string;

  @Column('text', { array: true })
  hosts!: string[];

  @Column('boolean')
  allowEnv!: boolean;
}
