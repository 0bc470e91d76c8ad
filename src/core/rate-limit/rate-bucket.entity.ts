import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../database/index.js';

/** A token bucket of a credential or an address. Lost in a crash of the database, which only fills it. */
@Entity('rate_buckets')
@Index('rate_buckets_age', ['updatedAt'])
export class RateBucket {
  @PrimaryColumn(ID)
  key!: string;

  @Column('double precision')
  tokens!: number;

  @Column('double precision')
  granted!: number;

  @Column('timestamptz')
  updatedAt!: Date;
}
