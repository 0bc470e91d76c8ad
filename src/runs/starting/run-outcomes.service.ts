import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { RetryResponseRegistry } from '../../core/idempotency/index.js';
import { type Watch, Watches } from '../../core/work/index.js';
import type { HeldRunDto, RunDto } from '../run.dto.js';
import type { SingleRunRow } from '../run-columns.js';
import { presentHeldRun } from '../run.presenter.js';
import type { RunPhase } from '../run.status.js';
import { RUN_TOPIC } from '../run.topics.js';
import { isTrial, SHORT_RUN_SECONDS } from '../run.version.js';
import { type RunEnd, RunsRepository } from '../runs.repository.js';
import { RunsService } from '../runs.service.js';
import type { CreatedRun } from './run-creation.service.js';

/** A short run is waited for this much longer than its time-out, for the queue and the preparations. */
const PATIENCE_MS = 10_000;

/** So long a start waits for what becomes of a run that may be skipped. */
const TURN_MS = 5_000;

/** Ended, or begins nobody knows when. */
const WAITED_FOR_NO_LONGER: ReadonlySet<RunPhase> = new Set(['finished', 'held', 'delayed']);

export interface StartedRun {
  run: HeldRunDto;
  /** False: the run goes on, or waits for a person. */
  finished: boolean;
}

/** How somebody waits for a run's end, where it is not the usual way. */
export interface RunWait {
  /** At least so long, however long the run may take. */
  patienceMs?: number;
  /** Not at all: whoever starts it follows its log. */
  atOnce?: true;
  /** Aborted: nobody waits any longer. The run goes on. */
  signal?: AbortSignal;
  /** Called once the run is made, before it is waited for. */
  onStart?(run: HeldRunDto): void;
  /** Called whenever something about the run has changed. */
  onChange?(run: RunDto): void;
}

/** Told of a run's end with its row where this process writes it; reads the row where the database tells of it. */
export type RunWatch = Watch<SingleRunRow>;

/** What whoever starts a run gets: the finished run where that takes a short time, otherwise the run as it is. */
@Injectable()
export class RunOutcomesService implements OnModuleInit {
  constructor(
    private readonly runs: RunsService,
    private readonly repository: RunsRepository,
    private readonly watches: Watches,
    private readonly responses: RetryResponseRegistry,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.responses.register('run', (id, caller) => this.responseToRetry(id, caller));
  }

  /** Listens to a run from now on, which need not be made yet. To be closed in the end. */
  watch(id: string, { signal }: RunWait = {}): RunWatch {
    return this.watches.open<SingleRunRow>(RUN_TOPIC, id, ...(signal ? [signal] : []));
  }

  /** Waits for the end of a run that the caller has just started, unless it is held, delayed or long. `watch` has listened from before. */
  async ofStarted(
    caller: WorkspaceCaller,
    { id, isLater, maySkip, timeoutSeconds }: CreatedRun & { timeoutSeconds: number },
    watch: RunWatch,
    wait: RunWait = {},
  ): Promise<StartedRun> {
    const patienceMs =
      isLater || wait.atOnce ? 0 : Math.max(patienceFor(timeoutSeconds), wait.patienceMs ?? 0);
    const deadline = Date.now() + patienceMs;
    if (wait.onStart) wait.onStart(this.present(await this.runs.get(caller, id)));
    if (patienceMs > 0) await watch.next(patienceMs);
    const look = (told: SingleRunRow | null): Promise<RunDto> =>
      told ? this.runs.present(told) : this.runs.get(caller, id);
    if (patienceMs === 0 && maySkip && !isLater && !wait.atOnce) return this.turn(look, watch);
    return this.end(look, watch, deadline, wait);
  }

  /**
   * Waits for the end of a run that there is already, a held one's too.
   *
   * @throws NotFound where there is none that the caller may see
   */
  async follow(
    caller: WorkspaceCaller,
    id: string,
    wait: RunWait & { patienceMs: number },
  ): Promise<StartedRun> {
    const watch = this.watch(id, wait);
    try {
      return await this.end(() => this.runs.get(caller, id), watch, Date.now() + wait.patienceMs, wait);
    } finally {
      watch.close();
    }
  }

  /**
   * Waits for the end of a run that no caller started; `watch` has listened from before.
   *
   * @returns null where it goes on by then, or waits for a person or further starts
   */
  async endOf(id: string, watch: RunWatch, patienceMs: number): Promise<RunEnd | null> {
    const deadline = Date.now() + patienceMs;
    const run = await watch.until(
      async (told) => told ?? (await this.repository.end(id)),
      (row) => (row === null || WAITED_FOR_NO_LONGER.has(row.phase) ? 0 : deadline - Date.now()),
    );
    return run?.phase === 'finished' ? run : null;
  }

  private async end(
    look: (told: SingleRunRow | null) => Promise<RunDto>,
    watch: RunWatch,
    deadline: number,
    { onChange }: RunWait,
  ): Promise<StartedRun> {
    const run = await watch.until(
      async (told) => {
        const read = await look(told);
        onChange?.(read);
        return read;
      },
      ({ phase }) => (phase === 'finished' ? 0 : deadline - Date.now()),
    );
    return { run: this.present(run), finished: run.phase === 'finished' };
  }

  /** A run that is skipped has ended by then, so that whoever starts it hears of that. */
  private async turn(
    look: (told: SingleRunRow | null) => Promise<RunDto>,
    watch: RunWatch,
  ): Promise<StartedRun> {
    const deadline = Date.now() + TURN_MS;
    const run = await watch.until(look, ({ phase }) => (phase === 'waiting' ? deadline - Date.now() : 0));
    return { run: this.present(run), finished: run.phase === 'finished' };
  }

  private present(run: RunDto): HeldRunDto {
    return presentHeldRun(run, this.settings.baseUrl);
  }

  /** For a retry with the same Idempotency-Key: the run, once the first request would have got it. */
  private async responseToRetry(
    id: string,
    caller: WorkspaceCaller,
  ): Promise<{ status: number; body: unknown } | null> {
    const row = await this.repository.find(id, caller);
    if (!row) return null;
    const goesOn = !WAITED_FOR_NO_LONGER.has(row.phase) && !isTrial(row);
    const patienceMs = goesOn ? patienceFor(await this.repository.timeoutSeconds(id)) : 0;
    if (Date.now() < row.startedAt.getTime() + patienceMs) return null;
    const body = this.present(await this.runs.present(row));
    return { status: row.phase === 'finished' ? 200 : 202, body };
  }
}

/** How long a start waits for the end: not at all for a long run. */
function patienceFor(timeoutSeconds: number): number {
  return timeoutSeconds <= SHORT_RUN_SECONDS ? timeoutSeconds * 1000 + PATIENCE_MS : 0;
}
