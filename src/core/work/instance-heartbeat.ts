import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { randomText } from '../crypto/index.js';
import { Drain } from './drain.decorator.js';
import { InstancesRepository } from './instances.repository.js';
import { Loop } from './loop.decorator.js';

const HEARTBEAT_MS = 10_000;
const ALIVE_SECONDS = 60;

/** This process, as the others see it: a row that is renewed while it lives. */
@Injectable()
export class InstanceHeartbeat implements OnModuleInit {
  readonly id = `ins_${randomText(20)}`;

  constructor(
    private readonly instances: InstancesRepository,
    private readonly settings: Settings,
  ) {}

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

  /** Makes this process known to the others, or says that it still lives. */
  @Loop({ every: HEARTBEAT_MS, atStart: false, stage: 'holding' })
  async beat(): Promise<void> {
    await this.instances.beat(this.id, this.settings.role);
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
