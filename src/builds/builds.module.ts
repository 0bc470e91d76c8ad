import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';

import { BuildSweeper } from './build-sweeper.js';
import { BUILDS_QUEUE } from './build.status.js';
import { BuildsRepository } from './builds.repository.js';
import { Builds } from './builds.service.js';

/** Installations of dependencies, as whoever wants one sees them. `BuildWorkerModule` carries them out. */
@Module({
  imports: [BullModule.registerQueue({ name: BUILDS_QUEUE })],
  providers: [BuildSweeper, Builds, BuildsRepository],
  exports: [Builds],
})
export class BuildsModule {}
