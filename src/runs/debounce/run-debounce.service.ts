import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { RunFilesService } from '../../files/index.js';
import type { Debounce } from '../../scripts/index.js';
import { debouncedEvent } from '../run.event-types.js';
import { type DebounceColumns, debounceScope, latestStart, nextStart } from './debounce.rules.js';
import {
  type DebouncedRun,
  type DebounceKey,
  DebouncedRunsRepository,
  type StartedRow,
} from './debounced-runs.repository.js';

/** A start that waits for further ones. */
export interface DebouncedStart {
  run: StartedRow;
  debounce: Debounce;
  /** Who started it, where that is a guest. */
  guestId: string | null;
}

/** What became of a start. */
export interface Debounced {
  /** Of the run that it is, or is to be. */
  id: string;
  /** What the run is made with, to be written in the same transaction; null: it is there, or another start makes it. */
  made: (DebounceColumns & { startAt: Date }) | null;
}

/** Gathers starts of the same key into one run, as long as that waits. */
@Injectable()
export class RunDebounceService {
  constructor(
    private readonly runs: DebouncedRunsRepository,
    private readonly files: RunFilesService,
    private readonly outbox: Outbox,
    private readonly database: Database,
  ) {}

  /**
   * Has each start take the place of the one before it, in the surrounding transaction. Whoever else starts one of the same keys waits
   * until that ends: what is committed last counts.
   *
   * @returns what became of each, in the order given
   */
  async gather(starts: readonly DebouncedStart[]): Promise<Debounced[]> {
    if (starts.length === 0) return [];
    const keys = await this.runs.keysOf(
      starts.map(({ run, debounce: { key }, guestId }) => ({
        scope: debounceScope(run, guestId),
        key,
        inputs: run.inputs,
      })),
    );
    const groups = Map.groupBy(starts, (_, index) => keys[index]!);
    // In one order for all processes.
    const ordered = [...groups.keys()].toSorted();
    for (const key of ordered) await this.database.lock(`debounce ${key}`);
    const looked = await this.look(groups);
    const results = new Map<DebouncedStart, Debounced>();
    for (const key of ordered) {
      const group = groups.get(key)!;
      const [newest, place] = [group.at(-1)!, await this.place(group, looked.get(key)!)];
      for (const start of group) {
        results.set(start, { id: place.id, made: start === newest ? place.made : null });
      }
    }
    return starts.map((start) => results.get(start)!);
  }

  /** A key begins with a script, which is of one workspace. */
  private async look(
    groups: ReadonlyMap<string, readonly DebouncedStart[]>,
  ): Promise<Map<string, DebounceKey>> {
    const byWorkspace = Map.groupBy(groups, ([, [first]]) => first!.run.workspaceId);
    const found = new Map<string, DebounceKey>();
    for (const [workspaceId, own] of byWorkspace) {
      const keys = own.map(([key]) => key);
      for (const one of await this.runs.look(workspaceId, keys)) found.set(one.key, one);
    }
    return found;
  }

  /** Of starts of one key, the last takes the place of all others. */
  private async place(group: readonly DebouncedStart[], { key, now, run }: DebounceKey): Promise<Debounced> {
    if (run !== null && (await this.move(run, group, now))) return { id: run.id, made: null };
    const until = latestStart(group[0]!.debounce, now);
    return {
      id: group[0]!.run.id,
      made: {
        startAt: nextStart(group.at(-1)!.debounce, now, until),
        debounceKey: key,
        debounceUntil: until,
        debounceStarts: group.length,
      },
    };
  }

  /** False: it has begun, or ended, meanwhile. */
  private async move(waiting: DebouncedRun, group: readonly DebouncedStart[], now: Date): Promise<boolean> {
    const { run: newest, debounce } = group.at(-1)!;
    const startAt = nextStart(debounce, now, waiting.until);
    const labels = await this.runs.move(waiting.id, newest, group.length, startAt);
    if (labels === null) return false;
    if (waiting.hasFiles) await this.files.releaseInputs(waiting.id);
    const starts = waiting.starts + group.length;
    await this.outbox.add(debouncedEvent(waiting, { ...newest, labels, startAt, starts }));
    return true;
  }
}
