import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { ID, oneOf } from '../../core/database/index.js';
import { BUDGET_PERIODS, type BudgetPeriod } from './agent-budget.js';

/** What an agent, an app's grant or a person's agents have used in a day or a month of UTC. */
@Entity('agent_counters')
@Index('agent_counters_age', ['periodStart'])
@Check('agent_counters_per_check', oneOf('per', BUDGET_PERIODS))
export class AgentCounter {
  @PrimaryColumn(ID)
  workspaceId!: string;

  /** The id of the agent, the grant or the person. */
  @PrimaryColumn(ID)
  subject!: string;

  @PrimaryColumn('text')
  per!: BudgetPeriod;

  @PrimaryColumn('timestamptz')
  periodStart!: Date;

  @Column('bigint', { default: 0 })
  runs!: number;

  @Column('bigint', { default: 0 })
  messages!: number;

  /** Read and written, as the model's endpoint reported them. */
  @Column('bigint', { default: 0 })
  tokens!: number;

  /** In millionths of the currency. */
  @Column('bigint', { default: 0 })
  cost!: number;

  /** Calls of tools that only read. */
  @Column('bigint', { default: 0 })
  reads!: number;

  /** When somebody was told that a limit is near. */
  @Column('timestamptz', { nullable: true })
  warnedAt!: Date | null;
}
