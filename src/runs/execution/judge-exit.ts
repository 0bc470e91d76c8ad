import type { BoxExit } from '../../../libs/sandbox/index.js';
import { parseExactly, stringifyExactly } from '../../core/json/index.js';
import type { AttemptReason } from '../../scripts/index.js';
import type { Masker } from '../../secrets/index.js';
import { exitMessage } from '../output/exit-message.js';
import { MAX_OUTPUT_BYTES } from '../output/parse-output.js';
import type { RunOutputReader } from '../output/run-output-reader.js';
import type { StderrRecorder } from '../output/stderr-recorder.js';
import type { StdoutRecorder } from '../output/stdout-recorder.js';
import { memoryOf } from './box-of-run.js';
import type { ClaimedRun } from './claimed-run.js';
import { describeCrlfStart } from './crlf-start.js';
import { reachedLimit } from './reached-limit.js';
import type { RunEnd } from './run-end.js';
import type { PreparedFolders } from './run-folder-builder.js';

const TOO_LARGE = `the function returned more than 1 MiB (${MAX_OUTPUT_BYTES} bytes): write large results to a file in \`run.outputs\``;
const NO_ANSWER = 'the process of the handler ended before it returned';

export type Result = Pick<RunEnd, 'outcome' | 'output' | 'error'> & {
  /** Why it may be tried again. null: it is not. */
  reason: AttemptReason | null;
};

/** The result of a command that ended by itself. What of its standard output is not the run's output goes to the log. */
export async function judgeExit(
  exit: BoxExit,
  run: ClaimedRun,
  stdout: StdoutRecorder,
  stderr: StderrRecorder,
  masker: Masker,
  outputs: RunOutputReader,
  { app, inputs }: Pick<PreparedFolders, 'app' | 'inputs'>,
): Promise<Result> {
  const said = stderr.failure(exit.code, run.handler);
  const crlf = exit.code && said !== null ? await describeCrlfStart(said, inputs.argv[0] ?? '', app) : null;
  const wrong = wrongEnding(exit, run, crlf ?? said);
  if (wrong !== null) {
    stdout.flush();
    return failed(masker.maskLine(wrong), reasonOf(exit));
  }
  if (run.handler && stdout.written.length === 0) return failed(NO_ANSWER);
  // It is no text that somebody printed, so the log has nothing of it.
  if (run.handler && stdout.written.length > MAX_OUTPUT_BYTES) return failed(TOO_LARGE);
  const { json, error } = stdout.finish(await outputs.parse(stdout.written, run));
  const problem = error ?? (await outputs.problem(json!, run));
  if (problem === null)
    return { outcome: 'succeeded', output: await masked(json!, masker), error: null, reason: null };
  stdout.flush();
  return failed(masker.maskLine(problem));
}

/** The output as it is stored, or null if there is none. It is parsed only if there are secrets to mask. */
async function masked(json: string, masker: Masker): Promise<string | null> {
  const text = masker.longest === 0 ? json : stringifyExactly(await masker.maskJson(parseExactly(json)));
  return text === 'null' ? null : text;
}

export function failed(error: string, reason: AttemptReason | null = 'failed'): Result {
  return { outcome: 'failed', output: null, error, reason };
}

function reasonOf({ timedOut, signal, code }: BoxExit): AttemptReason {
  if (timedOut) return 'timed_out';
  return signal === null && code !== null && code > 0 ? `exit:${code}` : 'failed';
}

function wrongEnding(exit: BoxExit, run: ClaimedRun, lastError: string | null): string | null {
  if (exit.timedOut) return exitMessage({ kind: 'timeout', seconds: run.timeoutSeconds });
  if (exit.outOfMemory && exit.code !== 0) return exitMessage({ kind: 'memory', limitBytes: memoryOf(run) });
  if (exit.signal === null && exit.code === 0) return null;
  const limit = reachedLimit(lastError, run);
  const message =
    exit.signal !== null
      ? exitMessage({ kind: 'signal', signal: exit.signal, lastError })
      : exitMessage({ kind: 'exit', code: exit.code ?? -1, lastError });
  return limit === null ? message : `${message} (${limit})`;
}
