import { Injectable } from '@nestjs/common';

import { arraysOf, Database } from '../../core/database/index.js';
import { RawJson } from '../../core/json/index.js';
import type { Run } from '../run.entity.js';
import type { HeldForApproval } from '../starting/run-approval.js';
import { BEGIN, DUE_RUNS, DUE_WORKSPACES, type DueRuns, HOLD } from './due-runs.sql.js';

type HeldNow = Omit<HeldForApproval, 'hold'> &
  Pick<Run, 'startedByUserId' | 'credentialId' | 'credentialType' | 'interface'>;

/** Runs whose time has come, to start or to be tried again, by the database's clock. */
@Injectable()
export class DueRunsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks them, at most `count` of each kind, until the transaction ends.
   *
   * @param except workspaces that are left out
   * @param only of that workspace; null: of any
   */
  lock(count: number, except: readonly string[], only: string | null): Promise<DueRuns[]> {
    return this.database.query<DueRuns>(DUE_RUNS, [count, [...except], only]);
  }

  /** The workspaces that have such. */
  async workspaces(except: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(DUE_WORKSPACES, [[...except]]);
    return rows.map(({ id }) => id);
  }

  /** Lets them go on to a worker, or to their turn. */
  async begin(ids: readonly string[]): Promise<void> {
    await this.database.execute(BEGIN, [[...ids]]);
  }

  /** Has them wait for their requests, which are to be filed in the same transaction. */
  async hold(runs: readonly { id: string; approvalId: string }[]): Promise<HeldNow[]> {
    const rows = await this.database.query<Omit<HeldNow, 'inputs'> & { inputs: string }>(
      HOLD,
      arraysOf(runs, 'id', 'approvalId'),
    );
    return rows.map((row) => ({ ...row, inputs: new RawJson(row.inputs) }));
  }
}
