import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { type Backlog, COUNT_BACKLOGS } from './run-backlog.sql.js';

const MiB = 1024 * 1024;
/** So much of one workspace may wait to be executed or approved before schedules, triggers and batches add to it. */
const MOST_RUNS = 20_000;
const MOST_BYTES = 256 * MiB;
/** A count of tens of thousands is not repeated for each portion. Until then, what was made here is added to it. */
const COUNTED_FOR_MS = 1_000;

const FULL = `${MOST_RUNS} runs of the workspace, or ${MOST_BYTES / MiB} MiB of their inputs, wait to be executed or approved`;

/** What schedules and triggers do while the workspace has no room for another run. */
export const BACKLOG = {
  full: FULL,
  /** They try again after this long. */
  retrySeconds: 60,
  /** Whoever has had no room for so long is switched off. */
  giveUpSeconds: 6 * 3_600,
  reason: `for six hours it could start no run: ${FULL}`,
  /** The same of inputs that found too many others waiting to be checked. */
  unchecked: 'for six hours its inputs could not be checked: too many others waited for that',
} as const;

interface Counted extends Backlog {
  at: number;
}

/** Bounds what waits of one workspace at once, as chains bound what one event causes. */
@Injectable()
export class RunBacklog {
  private readonly counted = new Map<string, Counted>();

  constructor(private readonly database: Database) {}

  /** Those of the workspaces that have no room for more. */
  async full(workspaceIds: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = [...new Set(workspaceIds)];
    const known = asked.flatMap((id) => this.known(id) ?? []);
    const outdated = asked.filter((id) => !this.known(id));
    const counted = outdated.length > 0 ? await this.count(outdated) : [];
    const full = [...known, ...counted].filter(({ runs, bytes }) => runs >= MOST_RUNS || bytes >= MOST_BYTES);
    return new Set(full.map(({ workspaceId }) => workspaceId));
  }

  /** A run has been made. */
  add(workspaceId: string, bytes: number): void {
    const counted = this.counted.get(workspaceId);
    if (!counted) return;
    counted.runs += 1;
    counted.bytes += bytes;
  }

  private known(id: string): Counted | null {
    const counted = this.counted.get(id);
    return counted && performance.now() - counted.at < COUNTED_FOR_MS ? counted : null;
  }

  private async count(ids: readonly string[]): Promise<Counted[]> {
    const rows = await this.database.query<Backlog>(COUNT_BACKLOGS, [ids, MOST_RUNS]);
    const at = performance.now();
    for (const id of this.counted.keys()) if (!this.known(id)) this.counted.delete(id);
    const counted = rows.map((row) => ({ ...row, at }));
    for (const each of counted) this.counted.set(each.workspaceId, each);
    return counted;
  }
}
