import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { GateProcess } from '../../../libs/egress/index.js';
import { HealthChecks } from '../telemetry/index.js';

/** The gates of all boxes of this worker, in a process of their own. Where it cannot be started, neither can the worker. */
@Injectable()
export class GateProcessService implements OnModuleInit, OnApplicationShutdown {
  process!: GateProcess;
  private readonly logger = new Logger('Gate');

  constructor(private readonly health: HealthChecks) {}

  async onModuleInit(): Promise<void> {
    this.process = await GateProcess.start({ warn: (text) => this.logger.warn(text) });
    // One that is being started again takes no request away from this process.
    this.health.register('gate', () => Promise.resolve(this.process.isRunning ? 'ok' : 'restarting'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.process?.close();
  }
}
