import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';

import { BuildDispatch, BUILDS_QUEUE } from './build-dispatch.js';
import { BuildSweeper } from './build-sweeper.js';
import { BuildWaiter } from './build-waiter.js';
import { BuildsRepository } from './builds.repository.js';
import { Builds } from './builds.service.js';

/** Installations of dependencies, as whoever wants one sees them. `BuildWorkerModule` carries them out. */
@Module({
  imports: [BullModule.registerQueue({ name: BUILDS_QUEUE })],
  providers: [BuildDispatch, BuildSweeper, BuildWaiter, Builds, BuildsRepository],
  exports: [BuildDispatch, Builds],
})
export class BuildsModule {}
