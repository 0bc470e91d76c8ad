import { Column, Entity, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** How far the logs of a plan's runs are deleted. No repository has it: one statement goes on from it and moves it. */
@Entity('log_expiry')
export class LogExpiry {
  @PrimaryColumn('text')
  plan!: string;

  /** Logs of older runs are looked at no more. */
  @Column(ID)
  runId!: string;
}
