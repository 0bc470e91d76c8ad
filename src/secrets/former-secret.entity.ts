import { Column, Entity, ForeignKey, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';

/** What a secret's value was limited to in an environment until it was deleted. */
@Entity('former_secrets')
export class FormerSecret {
  @ForeignKey('Workspace')
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn('text')
  name!: string;

  @PrimaryColumn(ID)
  environmentId!: string;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment?: Environment;

  @Column('text', { array: true })
  hosts!: string[];

  @Column('boolean')
  allowEnv!: boolean;
}
