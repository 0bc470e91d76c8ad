import { Injectable } from '@nestjs/common';

import type { ClaimedRun } from './claimed-run.js';
import { RunFailure, shownReason } from './run-failure.js';
import { type PreparedInputs, RunInputsWriter } from './run-inputs-writer.js';
import { VersionCache } from './version-cache.js';

export interface PreparedFolders {
  /** Mounted as /app. */
  app: string;
  inputs: PreparedInputs;
  dispose(): Promise<void>;
}

/** Prepares a run's folders: the unpacked version and the inputs. */
@Injectable()
export class RunFolderBuilder {
  constructor(
    private readonly versions: VersionCache,
    private readonly inputs: RunInputsWriter,
  ) {}

  /** The names of the unpacked versions, as in `VersionCache`. */
  unpacked(): string[] {
    return this.versions.latest();
  }

  /** @throws RunFailure */
  async prepare(run: ClaimedRun): Promise<PreparedFolders> {
    const version = await this.versions.open(run).catch((error: Error) => {
      throw new RunFailure(`the version's files could not be read: ${shownReason(error)}`, { cause: error });
    });
    try {
      const inputs = await this.inputs.prepare(run);
      const dispose = async (): Promise<void> => {
        await inputs.dispose();
        version.release();
      };
      return { app: version.directory, inputs, dispose };
    } catch (error) {
      version.release();
      throw new RunFailure(`the inputs could not be laid out: ${shownReason(error)}`, { cause: error });
    }
  }
}
