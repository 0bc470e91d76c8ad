import { Injectable } from '@nestjs/common';

import { ApprovalsService } from '../../approvals/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database, isDatabaseAway } from '../../core/database/index.js';
import { Bulkhead } from '../../core/work/index.js';
import { askerOfRun } from '../asker-of-run.js';
import { accessProblem } from '../held-run.rules.js';
import { approvalOf } from '../starting/run-approval.js';
import { type Hold, holdOf } from '../starting/run.policy.js';
import { RunTurnsRepository } from '../turns/run-turns.repository.js';
import { DueRunsRepository } from './due-runs.repository.js';
import type { DueRuns } from './due-runs.sql.js';

/** They are many alike, and each costs little. */
const MOST = 5_000;
/** What is held is read with its inputs. */
const MOST_HELD = 20;

interface Gone {
  /** How many go on to a worker, or to their turn. */
  begun: number;
  /** Whether there may be more of them. */
  more: boolean;
}

/**
 * Judges runs again whose time has come, to start or to be tried again: much may have changed since they were asked for. Who may
 * not start them any more gets no run, and what needs an approval by now is held.
 */
@Injectable()
export class DueRunsService {
  private readonly bulkhead = new Bulkhead('runs that are due in the workspace');
  /** Workspaces of which more are to be held than one pass does: the next one is the others'. */
  private full = new Set<string>();

  constructor(
    private readonly due: DueRunsRepository,
    private readonly turns: RunTurnsRepository,
    private readonly approvals: ApprovalsService,
    private readonly database: Database,
  ) {}

  /** Where a run cannot go on, those of other workspaces do. */
  async look(): Promise<Gone> {
    try {
      return await this.judge(null);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
    }
    const gone: Gone = { begun: 0, more: false };
    await this.bulkhead.each(await this.due.workspaces(this.bulkhead.waiting), async (workspaceId) => {
      const { begun, more } = await this.judge(workspaceId);
      gone.begun += begun;
      gone.more ||= more;
    });
    return gone;
  }

  private judge(only: string | null): Promise<Gone> {
    return this.database.transaction(async () => {
      const begun: string[] = [];
      const held: DueRuns[] = [];
      const before = this.full;
      let count = 0;
      for (const alike of await this.due.lock(MOST, [...this.bulkhead.waiting, ...before], only)) {
        const { ids } = alike;
        const problem = accessProblem(alike);
        count += ids.length;
        if (problem !== null) await this.turns.end(ids, null, `it could not start: ${problem}`);
        else if (holdOfDue(alike) === null) begun.push(...ids);
        else held.push(alike);
      }
      if (begun.length > 0) await this.due.begin(begun);
      this.full = await this.hold(held);
      const isFull = count >= MOST || held.flatMap(({ ids }) => ids).length > MOST_HELD;
      return { begun: begun.length, more: isFull || before.size > 0 };
    });
  }

  /** Holds the first ones of each workspace. @returns those that have more of them */
  private async hold(all: readonly DueRuns[]): Promise<Set<string>> {
    const holds = new Map<string, Hold>();
    const full = new Set<string>();
    const workspaces = Map.groupBy(all, ({ workspaceId }) => workspaceId);
    const share = Math.ceil(MOST_HELD / Math.max(1, workspaces.size));
    for (const [workspaceId, alike] of [...workspaces].slice(0, MOST_HELD)) {
      const theirs = alike.flatMap((due) => due.ids.map((id) => [id, holdOfDue(due)!] as const));
      for (const [id, hold] of theirs.slice(0, share)) holds.set(id, hold);
      if (theirs.length > share) full.add(workspaceId);
    }
    if (holds.size === 0) return full;
    const runs = await this.due.hold([...holds.keys()].map((id) => ({ id, approvalId: newId('approval') })));
    await this.approvals.fileMany(
      runs.map((run) => approvalOf({ ...run, hold: holds.get(run.id)! }, askerOfRun(run))),
    );
    return full;
  }
}

/** What somebody has approved already goes on. */
function holdOfDue({ isApproved, scriptPolicy, environmentPolicy, byAgent }: DueRuns): Hold | null {
  if (isApproved) return null;
  const policies = { scriptPolicy, environmentPolicy, byAgent };
  return holdOf({ ...policies, agentAsks: false, asked: null, unseenTest: false });
}
