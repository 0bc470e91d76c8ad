import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuthModule, User } from '../auth/index.js';
import { ApiKey, WorkspacesModule } from '../workspaces/index.js';
import { ExampleScript } from './example-script.js';
import { FirstRunFile } from './first-run-file.js';
import { FirstRunRepository } from './first-run.repository.js';
import { FirstRunService } from './first-run.service.js';
import { LoopbackApiClient } from './loopback-api-client.js';
import { FirstOwnerCreator } from './first-owner-creator.js';

/** What an empty database is given to begin with. */
@Module({
  imports: [AuthModule, WorkspacesModule, TypeOrmModule.forFeature([ApiKey, User])],
  providers: [
    ExampleScript,
    FirstRunService,
    FirstRunFile,
    FirstRunRepository,
    LoopbackApiClient,
    FirstOwnerCreator,
  ],
  exports: [FirstRunService],
})
export class FirstRunModule {}
