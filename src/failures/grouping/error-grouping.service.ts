import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { type NewEvent, Outbox } from '../../core/outbox/index.js';
import { Loop } from '../../core/work/index.js';
import { RunLogService } from '../../runs/index.js';
import { errorEvent } from '../error.event-types.js';
import type { ErrorGroup } from '../error-group.entity.js';
import { newGroup, withFailure } from './counted-failures.js';
import { ErrorGroupsRepository } from './error-groups.repository.js';
import { type ErrorKind, kindOf, mayHaveTraceback, OTHERS } from './error-kind.js';
import type { ErrorSighting } from './error-sighting.entity.js';
import { ERROR_SIGHTINGS } from './error-sightings.service.js';
import { ErrorSightingsRepository, type FailedRun } from './error-sightings.repository.js';

const LOOK_EVERY_MS = 2_000;
const SIGHTINGS = 50;
const LOG_LINES = 80;
/** Logs: each is a connection. */
const READ_AT_ONCE = 4;
const MOST_OF_A_SCRIPT = 100;
const MOST_OF_A_WORKSPACE = 1_000;

interface Failure {
  run: FailedRun;
  kind: ErrorKind;
}

/**
 * Counts failures for the errors that they are, in the order in which they happened: a lock lets one process at a time do it for
 * a workspace. One transaction deletes the sightings, counts them and tells of what is new.
 */
@Injectable()
export class ErrorGroupingService {
  constructor(
    private readonly sightings: ErrorSightingsRepository,
    private readonly groups: ErrorGroupsRepository,
    private readonly log: RunLogService,
    private readonly outbox: Outbox,
    private readonly database: Database,
  ) {}

  @Loop({ every: LOOK_EVERY_MS, wake: ERROR_SIGHTINGS, apart: 50 })
  pass(): Promise<boolean> {
    return this.sightings.workOff(SIGHTINGS, (id, read) => this.countNext(id, read));
  }

  /** What runs have printed is read before the transaction, which others may wait for. */
  private async countNext(workspaceId: string, read: () => Promise<ErrorSighting[]>): Promise<number> {
    const next = await read();
    const runs = await this.sightings.runs(next);
    const failures: Failure[] = [];
    for (let from = 0; from < runs.length; from += READ_AT_ONCE) {
      const some = runs.slice(from, from + READ_AT_ONCE);
      failures.push(...(await Promise.all(some.map((run) => this.failureOf(run)))));
    }
    return this.database.transaction(async () => {
      if (!(await this.groups.takeTurn(workspaceId))) return 0;
      const taken = await this.sightings.take(workspaceId, next);
      await this.count(
        workspaceId,
        failures.filter(({ run }) => taken.has(run.eventId)),
      );
      return taken.size;
    });
  }

  private async failureOf(run: FailedRun): Promise<Failure> {
    const lines = mayHaveTraceback(run.error) ? await this.log.tail(run.id, LOG_LINES) : [];
    return { run, kind: kindOf(run.error, lines) };
  }

  private async count(workspaceId: string, failures: readonly Failure[]): Promise<void> {
    if (failures.length === 0) return;
    const known = await this.groups.lock([
      ...failures.map(({ run, kind }) => ({ ...run, ...kind })),
      ...failures.map(({ run }) => ({ ...run, ...OTHERS })),
    ]);
    const groups = new Map(known.map((group) => [keyOf(group, group), group]));
    const changed = new Set<string>();
    const events: NewEvent[] = [];
    const runs: { runId: string; errorId: string }[] = [];
    for (const { run, kind: own } of failures) {
      const kind = groups.has(keyOf(run, own)) ? own : await this.roomFor(workspaceId, run, own, groups);
      const key = keyOf(run, kind);
      const before = groups.get(key);
      const { after, returned } = before
        ? withFailure(before, run, kind.sample)
        : { after: newGroup(workspaceId, run, kind), returned: false };
      if (!before) await this.groups.insert(after);
      else changed.add(key);
      if (!before || returned) events.push(errorEvent(before ? 'returned' : 'new', after, run));
      groups.set(key, after);
      runs.push({ runId: run.id, errorId: after.id });
    }
    for (const key of changed) await this.groups.update(groups.get(key)!);
    await this.groups.addRuns(runs);
    await this.outbox.addMany(events);
  }

  /** What it is counted as: where its script has too many errors already, it is one of the others. */
  private async roomFor(
    workspaceId: string,
    { scriptId, environmentId }: FailedRun,
    kind: ErrorKind,
    groups: ReadonlyMap<string, ErrorGroup>,
  ): Promise<ErrorKind> {
    const kept = [...groups.values()].map(({ id }) => id);
    const ofScript = { scriptId, environmentId };
    const isFull = (await this.groups.count(ofScript)) >= MOST_OF_A_SCRIPT;
    if (isFull && !(await this.groups.forgetResolved(ofScript, kept))) return { ...kind, ...OTHERS };
    const ofWorkspace = { workspaceId };
    if ((await this.groups.count(ofWorkspace)) >= MOST_OF_A_WORKSPACE) {
      const gone = await this.groups.forgetResolved(ofWorkspace, kept);
      if (!gone) await this.groups.forgetOldest(ofWorkspace, kept);
    }
    return kind;
  }
}

function keyOf(
  { scriptId, environmentId }: Pick<ErrorGroup, 'scriptId' | 'environmentId'>,
  { fingerprint }: Pick<ErrorGroup, 'fingerprint'>,
): string {
  return `${scriptId} ${environmentId} ${fingerprint}`;
}
