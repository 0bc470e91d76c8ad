import { Injectable } from '@nestjs/common';

import { Notifications } from '../../core/database/index.js';
import { RunOutputReader } from '../output/run-output-reader.js';
import { BoxProvider } from './box-provider.js';
import { RunEndsService } from './run-ends.service.js';
import { RunExecutionRepository } from './run-execution.repository.js';
import { RunFolderBuilder } from './run-folder-builder.js';
import { RunGates } from './run-gates.js';
import { RunSecretsResolver } from './run-secrets-resolver.js';

/** What each execution needs of this worker. */
@Injectable()
export class ExecutionParts {
  constructor(
    readonly boxes: BoxProvider,
    readonly runs: RunExecutionRepository,
    readonly folders: RunFolderBuilder,
    readonly secrets: RunSecretsResolver,
    readonly gates: RunGates,
    readonly outputs: RunOutputReader,
    readonly ends: RunEndsService,
    readonly notifications: Notifications,
  ) {}
}
