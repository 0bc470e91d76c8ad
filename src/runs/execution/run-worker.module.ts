import { Global, Module } from '@nestjs/common';

import { FilesModule } from '../../files/index.js';
import { HostAuthoritiesModule } from '../../host-authorities/index.js';
import { ScriptsModule } from '../../scripts/index.js';
import { SecretsModule } from '../../secrets/index.js';
import { RunOutputReader } from '../output/run-output-reader.js';
import { RunsModule } from '../runs.module.js';
import { BoxProvider } from './box-provider.js';
import { ExecutingRuns } from './executing-runs.js';
import { ExecutionParts } from './execution-parts.js';
import { RunGates } from './run-gates.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunEndsService } from './run-ends.service.js';
import { RunFolderBuilder } from './run-folder-builder.js';
import { RunInputsWriter } from './run-inputs-writer.js';
import { RunSecretsResolver } from './run-secrets-resolver.js';
import { RunsProcessor } from './runs.processor.js';
import { RuntimePrograms } from './runtime-programs.js';
import { VersionCache } from './version-cache.js';

/** What a worker needs to take runs and carry them out in boxes. Global for `RunPlaces`, which is there without a worker too. */
@Global()
@Module({
  imports: [RunsModule, FilesModule, HostAuthoritiesModule, ScriptsModule, SecretsModule],
  providers: [
    BoxProvider,
    ExecutingRuns,
    ExecutionParts,
    RunGates,
    RunOutputReader,
    RunDispatcher,
    RunEndsService,
    RunFolderBuilder,
    RunInputsWriter,
    RunSecretsResolver,
    RunsProcessor,
    RuntimePrograms,
    VersionCache,
  ],
  exports: [BoxProvider, ExecutingRuns],
})
export class RunWorkerModule {}
