import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** Runs of a script by day (UTC) and person. */
@Entity('script_people')
export class ScriptPerson {
  @ForeignKey('Script')
  @PrimaryColumn(ID)
  scriptId!: string;

  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn(ID)
  userId!: string;

  @Column('integer', { default: 0 })
  runs!: number;
}
