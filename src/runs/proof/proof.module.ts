import { Module } from '@nestjs/common';

import { RunWorkerModule } from '../execution/run-worker.module.js';
import { StartProver } from './start-prover.js';

/** What a worker does between opening its sandbox, which the module that it imports does, and taking runs. */
@Module({ imports: [RunWorkerModule], providers: [StartProver] })
export class ProofModule {}
