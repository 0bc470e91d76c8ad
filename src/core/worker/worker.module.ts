import { Global, Module } from '@nestjs/common';

import { WorkerDirectory } from './worker-directory.js';
import { GateProcessService } from './gate-process.service.js';

/** What every part of a worker shares. */
@Global()
@Module({ providers: [WorkerDirectory, GateProcessService], exports: [WorkerDirectory, GateProcessService] })
export class WorkerModule {}
