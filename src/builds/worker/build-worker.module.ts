import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Build } from '../build.entity.js';
import { BuildsModule } from '../builds.module.js';
import { RegistryReader } from '../registries/registries.js';
import { BuildBoxes } from './build-boxes.js';
import { BuildClaimsRepository } from './build-claims.repository.js';
import { BuildDispatcher } from './build-dispatcher.js';
import { BuildsProcessor } from './builds.processor.js';

/** The worker's part of builds: takes them and carries them out in boxes. */
@Module({
  imports: [BuildsModule, TypeOrmModule.forFeature([Build])],
  providers: [BuildBoxes, BuildClaimsRepository, BuildDispatcher, BuildsProcessor, RegistryReader],
})
export class BuildWorkerModule {}
