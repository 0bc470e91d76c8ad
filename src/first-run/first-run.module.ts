import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { ExampleScript } from './example-script.js';
import { FirstRunFile } from './first-run-file.js';
import { FirstRunRepository } from './first-run.repository.js';
import { FirstRunService } from './first-run.service.js';
import { OwnApi } from './own-api.js';
import { OwnerAccount } from './owner-account.js';

/** What an empty database is given to begin with. */
@Module({
  imports: [AuthModule, WorkspacesModule],
  providers: [ExampleScript, FirstRunService, FirstRunFile, FirstRunRepository, OwnApi, OwnerAccount],
  exports: [FirstRunService],
})
export class FirstRunModule {}
