import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Build } from './build.entity.js';
import { BuildSweeper } from './build-sweeper.js';
import { BUILDS_QUEUE } from './build.status.js';
import { BuildsRepository } from './builds.repository.js';
import { BuildsService } from './builds.service.js';

/** Installations of dependencies, as whoever wants one sees them. `BuildWorkerModule` carries them out. */
@Module({
  imports: [BullModule.registerQueue({ name: BUILDS_QUEUE }), TypeOrmModule.forFeature([Build])],
  providers: [BuildSweeper, BuildsService, BuildsRepository],
  exports: [BuildsService],
})
export class BuildsModule {}
