import { Global, Module } from '@nestjs/common';

import { WorkerDirectory } from './worker-directory.js';
import { WorkerGate } from './worker-gate.js';

/** What every part of a worker shares. */
@Global()
@Module({ providers: [WorkerDirectory, WorkerGate], exports: [WorkerDirectory, WorkerGate] })
export class WorkerModule {}
