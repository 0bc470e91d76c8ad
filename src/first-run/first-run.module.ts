import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuthModule, User } from '../auth/index.js';
import { ApiKey, WorkspacesModule } from '../workspaces/index.js';
import { ExampleScript } from './example-script.js';
import { FirstRunFile } from './first-run-file.js';
import { FirstRunRepository } from './first-run.repository.js';
import { FirstRunService } from './first-run.service.js';
import { OwnApi } from './own-api.js';
import { OwnerAccount } from './owner-account.js';

/** What an empty database is given to begin with. */
@Module({
  imports: [AuthModule, WorkspacesModule, TypeOrmModule.forFeature([ApiKey, User])],
  providers: [ExampleScript, FirstRunService, FirstRunFile, FirstRunRepository, OwnApi, OwnerAccount],
  exports: [FirstRunService],
})
export class FirstRunModule {}
