import { Global, Module } from '@nestjs/common';

import { HealthChecks } from '../telemetry/index.js';
import { GateProcessService } from './gate-process.service.js';
import { WorkerDirectory } from './worker-directory.js';

/** What every part of a worker shares. The gate's process starts while the rest of the application is put together. */
@Global()
@Module({
  providers: [
    WorkerDirectory,
    {
      provide: GateProcessService,
      inject: [HealthChecks],
      useFactory: (health: HealthChecks) => GateProcessService.start(health),
    },
  ],
  exports: [WorkerDirectory, GateProcessService],
})
export class WorkerModule {}
