import type { BoxedProcess } from '../../../libs/sandbox/index.js';
import type { NewOutputFile, RunFilesService } from '../../files/index.js';
import type { ClaimedRun } from './claimed-run.js';
import { RunFailure, shownReason } from './run-failure.js';

const MOST_OUTPUTS = 100;
const MOST_OUTPUT_BYTES = 100 * 1024 * 1024;

/** Stores what a run left in /outputs. Where that is too much the run fails, rather than files being dropped silently. */
export async function collectOutputs(
  box: BoxedProcess,
  run: ClaimedRun,
  files: RunFilesService,
): Promise<NewOutputFile[]> {
  const found = [];
  let bytes = 0;
  for await (const file of box.outputs()) {
    bytes += file.size;
    if (found.push(file) > MOST_OUTPUTS) {
      throw new RunFailure(`wrote more than ${MOST_OUTPUTS} files to /outputs`);
    }
    if (bytes > MOST_OUTPUT_BYTES) {
      throw new RunFailure(`wrote more than ${MOST_OUTPUT_BYTES / 1024 / 1024} MB to /outputs`);
    }
  }
  const stored: NewOutputFile[] = [];
  try {
    for (const file of found) {
      const { workspaceId, environmentId, id: runId } = run;
      const { path, size } = file;
      stored.push(
        await files.storeOutput({ workspaceId, environmentId, runId, path, size, stream: file.open() }),
      );
    }
  } catch (error) {
    await files.discardOutputs(stored);
    throw new RunFailure(`its files in /outputs could not be stored: ${shownReason(error)}`, {
      cause: error,
    });
  }
  return stored;
}
