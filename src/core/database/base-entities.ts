import { Column, ForeignKey, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from './entity-columns.js';

/** What most rows begin with. Entities extend it, or one of those below that fits. */
export abstract class CreatedEntity {
  @PrimaryColumn(ID)
  id!: string;

  @Column(CREATED)
  createdAt!: Date;
}

/** What belongs to a workspace. */
export abstract class WorkspaceEntity extends CreatedEntity {
  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;
}

/** What somebody made in a workspace. */
export abstract class AttributedEntity extends WorkspaceEntity {
  /** null where an API key made it, or the system. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;
}
