import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { randomText } from '../crypto/index.js';
import { Drain } from './drain.decorator.js';
import { InstancesRepository } from './instances.repository.js';
import { ALIVE_SECONDS } from './live-workers.sql.js';
import { Loop } from './loop.decorator.js';

const HEARTBEAT_MS = 10_000;

/** This process, as the others see it: a row that is renewed while it lives. */
@Injectable()
export class InstanceHeartbeat implements OnModuleInit {
  readonly id = `ins_${randomText(20)}`;
  /** What the worker here carries; null: it takes no runs. */
  private tags: string[] | null;

  constructor(
    private readonly instances: InstancesRepository,
    private readonly settings: Settings,
  ) {
    this.tags = settings.runsScripts ? settings.workerTags : null;
  }

  async onModuleInit(): Promise<void> {
    await this.beat();
  }

  /** Those of these ids whose process was seen within the last minute. */
  async aliveAmong(ids: string[]): Promise<Set<string>> {
    return new Set(await this.instances.seenAmong(ids, ALIVE_SECONDS));
  }

  /** Says what this worker builds for: system, Python and Node. */
  async announceRuntime(runtime: string): Promise<void> {
    await this.instances.setRuntime(this.id, runtime);
  }

  /** The worker here takes nothing more. */
  async takesNoMore(): Promise<void> {
    this.tags = null;
    await this.beat();
  }

  /** Makes this process known to the others, or says that it still lives. */
  @Loop({ every: HEARTBEAT_MS, atStart: false, stage: 'holding' })
  async beat(): Promise<void> {
    await this.instances.beat(this.id, this.settings.role, this.tags);
  }

  /**
   * Once all work is done with, and while there still is a connection. A request in progress commits
   * nothing under an `Idempotency-Key` that another process took over.
   */
  @Drain('holding')
  async leave(): Promise<void> {
    await this.instances.delete(this.id).catch(() => undefined);
  }
}
