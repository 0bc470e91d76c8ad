import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../database/index.js';

/** The key of a workspace, sealed with the master key. */
@Entity('workspace_keys')
export class WorkspaceKey {
  @ForeignKey('Workspace')
  @PrimaryColumn(ID)
  workspaceId!: string;

  @Column(ID)
  masterKeyId!: string;

  @Column('bytea')
  sealedKey!: Buffer;

  @Column(CREATED)
  createdAt!: Date;
}
