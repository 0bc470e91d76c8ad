import { Global, Module } from '@nestjs/common';

import { WorkerDirectory } from './worker-directory.js';

/** What every part of a worker shares. */
@Global()
@Module({ providers: [WorkerDirectory], exports: [WorkerDirectory] })
export class WorkerModule {}
