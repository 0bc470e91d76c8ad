import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { GateProcess } from '../../../libs/egress/index.js';
import { HealthChecks } from '../telemetry/index.js';

/** The gates of all boxes of this worker, in a process of their own. */
@Injectable()
export class GateProcessService implements OnApplicationShutdown {
  private constructor(readonly process: GateProcess) {}

  /** Where it cannot be started, neither can the worker. */
  static async start(health: HealthChecks): Promise<GateProcessService> {
    const logger = new Logger('Gate');
    const gate = await GateProcess.start({ warn: (text) => logger.warn(text) });
    // One that is being started again takes no request away from this process.
    health.register('gate', () => Promise.resolve(gate.isRunning ? 'ok' : 'restarting'));
    return new GateProcessService(gate);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.process.close();
  }
}
