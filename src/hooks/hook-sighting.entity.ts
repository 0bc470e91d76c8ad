import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/index.js';

/** A request that a hook has taken, so that the same one starts nothing more for a day. */
@Entity('hook_sightings')
@Index('hook_sightings_expiry', ['createdAt'])
export class HookSighting {
  @PrimaryColumn(ID)
  hookId!: string;

  /** SHA-256 of the sender's own name for it and of its body. */
  @PrimaryColumn('bytea')
  key!: Buffer;

  @Column(CREATED)
  createdAt!: Date;
}
