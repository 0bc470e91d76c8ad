import { type Gatehouse } from '@gatehouse/client';

import { CommandFailure } from '../failure/command-failure.js';
import { isInteractive } from '../terminal/interactive.js';
import { say } from '../terminal/say.js';

/**
 * Does something with a run that Ctrl-C can end. A person is asked whether the run is to be cancelled, too; without one it is,
 * since whoever stops a job in CI means all of it.
 *
 * @param runId known once the run has begun
 */
export async function interruptible<T>(
  gatehouse: Gatehouse,
  runId: () => string | null,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopped = new AbortController();
  let isAsking = false;
  const interrupted = async (): Promise<void> => {
    const id = runId();
    if (id === null) return stopped.abort();
    if (isAsking) return leave(id, stopped);
    isAsking = true;
    const isToBeCancelled = isInteractive() ? await askWhetherToCancel() : true;
    if (isToBeCancelled === null) return leave(id, stopped);
    if (isToBeCancelled) await gatehouse.runs.cancel(id);
    else if (!stopped.signal.aborted) say('It goes on.');
    isAsking = false;
  };
  const onSignal = (): void => void interrupted().catch((error: unknown) => stopped.abort(error));
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await work(stopped.signal);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    throw stopped.signal.reason instanceof CommandFailure
      ? stopped.signal.reason
      : new CommandFailure('Interrupted.');
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** null: Ctrl-C once more, so the person wants to leave. */
async function askWhetherToCancel(): Promise<boolean | null> {
  const { confirm } = await import('@inquirer/prompts');
  say('');
  const question = { message: 'Cancel the run?', default: false };
  return confirm(question, { output: process.stderr }).catch(() => null);
}

function leave(id: string, stopped: AbortController): void {
  stopped.abort(
    new CommandFailure('The run goes on without you.', `Watch it again: gatehouse runs watch ${id}`),
  );
}
