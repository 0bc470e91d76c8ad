import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Seconds during which leases could be renewed, up to a moment. */
@Entity('lease_clock')
export class LeaseClockPeriod {
  @PrimaryColumn('timestamptz')
  at!: Date;

  @Column('double precision')
  seconds!: number;
}
