import { Injectable } from '@nestjs/common';

import { Lifecycle } from '../../core/lifecycle/index.js';
import { Watches } from '../../core/work/index.js';
import { RUN_TOPIC } from '../run.topics.js';
import { eventText } from './log-events.js';
import type { LogLine } from './log-lines.js';
import { RunLogRepository } from './run-log.repository.js';

const BATCH = 1000;
/** Often enough that proxies keep the connection, and that a lost notification is not felt for long. */
const HEARTBEAT_MS = 10_000;
/** Nobody is notified that a run is taken and begins: that would cost each run a notification. */
const LOOK_EVERY_MS = 1_000;

/** A run's log as server-sent events: `log` for each line or `lines` for several, `phase` and `progress` when they change, `end` with the run's status. */
@Injectable()
export class RunLogStream {
  constructor(
    private readonly log: RunLogRepository,
    private readonly watches: Watches,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * From line `next` on, until the run or the signal ends it. Each event's id is the number of the line that comes next: what
   * `Last-Event-ID` brings back.
   */
  async *events(
    runId: string,
    next: number,
    put: (lines: readonly LogLine[]) => string,
    status: () => Promise<object>,
    ended: AbortSignal,
  ): AsyncGenerator<string> {
    const ends = [this.lifecycle.stopping, ended];
    const watch = this.watches.open(RUN_TOPIC, runId, ...ends);
    let progress = '';
    let phase: string | undefined;
    try {
      yield 'retry: 1000\n\n';
      while (!ends.some(({ aborted }) => aborted)) {
        // Asked before the lines are read: once it says finished, no line comes after those read next.
        const state = await this.log.state(runId);
        if (state && state.phase !== phase && state.phase !== 'finished') {
          phase = state.phase;
          yield eventText('phase', next, { phase });
        }
        for (let full = true; full;) {
          const lines = await this.log.read(runId, next, BATCH);
          full = lines.length === BATCH;
          if (lines.length > 0) yield put(lines);
          next = (lines.at(-1)?.number ?? next - 1) + 1;
        }
        const reported = JSON.stringify([state?.progress, state?.progressMessage]);
        if (state && state.progress !== null && reported !== progress) {
          progress = reported;
          yield eventText('progress', next, { progress: state.progress, message: state.progressMessage });
        }
        if (!state || state.phase === 'finished') return yield eventText('end', next, await status());
        const patience = phase === 'executing' ? HEARTBEAT_MS : LOOK_EVERY_MS;
        if (!(await watch.next(patience))) yield ': still here\n\n';
      }
    } finally {
      watch.close();
    }
  }
}
