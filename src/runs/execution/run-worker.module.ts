import { Module } from '@nestjs/common';

import { FilesModule } from '../../files/index.js';
import { ScriptsModule } from '../../scripts/index.js';
import { SecretsModule } from '../../secrets/index.js';
import { Outputs } from '../output/outputs.js';
import { RunsModule } from '../runs.module.js';
import { BoxProvider } from './box-provider.js';
import { Gates } from './gates.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunEndsService } from './run-ends.service.js';
import { RunExecutionsService } from './run-executions.service.js';
import { RunFolders } from './run-folders.js';
import { RunInputs } from './run-inputs.js';
import { RunSecrets } from './run-secrets.js';
import { RunsProcessor } from './runs.processor.js';
import { RuntimePrograms } from './runtime-programs.js';
import { VersionCache } from './version-cache.js';

/** What a worker needs to take runs and carry them out in boxes. */
@Module({
  imports: [RunsModule, FilesModule, ScriptsModule, SecretsModule],
  providers: [
    BoxProvider,
    Gates,
    Outputs,
    RunDispatcher,
    RunEndsService,
    RunExecutionsService,
    RunFolders,
    RunInputs,
    RunSecrets,
    RunsProcessor,
    RuntimePrograms,
    VersionCache,
  ],
})
export class RunWorkerModule {}
