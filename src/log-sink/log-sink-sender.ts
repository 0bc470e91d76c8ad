import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { Drain, InstanceHeartbeat, Loop, type NextPass } from '../core/work/index.js';
import { LogSinkRepository } from './log-sink.repository.js';
import { type NumberedEntry, sinkRecordOf } from './sink-record.js';
import { openSink } from './sinks/open-sink.js';
import type { Sink } from './sinks/sink.js';

const LOOK_EVERY_MS = 1_000;
const BATCH = 500;
/** Shorter than the lease: whoever comes next does not send beside it. */
const SEND_LIMIT_MS = 15_000;
const AGAIN_MS = 5_000;

/**
 * Sends what is to be sent, in one process at a time and in the order of the numbers. Numbers are committed before anything is
 * sent, and entries are deleted after they were taken: whatever dies in between, an entry comes again with its number.
 */
@Injectable()
export class LogSinkSender {
  private readonly logger = new Logger('LogSink');
  private sink: Promise<Sink> | null = null;
  private failing = false;

  constructor(
    private readonly settings: Settings,
    private readonly entries: LogSinkRepository,
    private readonly instance: InstanceHeartbeat,
  ) {}

  @Loop<LogSinkSender>({ every: LOOK_EVERY_MS, hasRoom: ({ isWanted }) => isWanted, reachesOut: true })
  async send(): Promise<NextPass> {
    if (!(await this.entries.hold(this.instance.id))) return;
    await this.entries.number(BATCH);
    const batch = await this.entries.next(BATCH);
    this.sink ??= openSink(this.settings.logSink!, this.settings);
    const sink = await this.sink;
    if (batch.length === 0 || (batch.length < BATCH && ageOf(batch[0]!) < sink.gatherMs)) return;
    if (!(await this.isTaken(sink, batch))) return AGAIN_MS;
    await this.entries.forget(batch.at(-1)!.number);
    return batch.length === BATCH;
  }

  @Drain('holding')
  async release(): Promise<void> {
    if (this.isWanted) await this.entries.release(this.instance.id);
  }

  get isWanted(): boolean {
    return this.settings.logSink !== null;
  }

  /** Says once that it fails, and once that it does no more. */
  private async isTaken(sink: Sink, batch: readonly NumberedEntry[]): Promise<boolean> {
    try {
      await sink.send(batch.map(sinkRecordOf), AbortSignal.timeout(SEND_LIMIT_MS));
      if (this.failing) this.logger.warn('The log sink takes entries again.');
      this.failing = false;
      return true;
    } catch (error) {
      if (!this.failing) {
        this.logger.warn(
          `The log sink takes no entries; they are sent again until it does: ${String(error)}`,
        );
      }
      this.failing = true;
      return false;
    }
  }
}

/** By this process's clock; how long entries are gathered matters little. */
function ageOf({ createdAt }: NumberedEntry): number {
  return Date.now() - createdAt.getTime();
}
