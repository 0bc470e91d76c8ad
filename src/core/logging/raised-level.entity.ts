import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { LogLevel } from '../config/index.js';
import { ID } from '../database/index.js';

/** A level of the log that the operator wants for a while, in all processes. */
@Entity('log_levels')
export class RaisedLevel {
  /** A workspace's id, or `EVERYTHING`. */
  @PrimaryColumn(ID)
  subject!: string;

  @Column('text')
  level!: LogLevel;

  @Column('timestamptz')
  until!: Date;
}
