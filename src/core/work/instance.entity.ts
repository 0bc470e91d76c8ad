import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../database/index.js';

/** A process of this service, as the others see it. */
@Entity('instances')
export class InstanceEntry {
  @PrimaryColumn(ID)
  id!: string;

  @Column('text')
  role!: string;

  @Column(CREATED)
  startedAt!: Date;

  @Column(CREATED)
  seenAt!: Date;

  /** Those of a worker that takes runs; null: it takes none. */
  @Column('text', { array: true, nullable: true })
  tags!: string[] | null;

  @Column('text', { nullable: true })
  runtime!: string | null;
}
