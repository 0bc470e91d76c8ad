import {
  BUILD_LIMITS,
  BUILD_TIMEOUT_MS,
  type AppOverflow,
  type BoxExit,
} from '../../../libs/sandbox/index.js';

/** An installation that did not come to a good end. The message is for whoever asked for it. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
}

const OVERFLOWS: Record<AppOverflow, string> = {
  bytes: 'it wrote more than 3 GiB',
  files: 'it made more than 400,000 files and folders',
  depth: 'it nested folders too deeply',
  disk: "the worker's disk is nearly full",
  error: "the worker's disk failed",
};

/** @throws BuildFailure unless the command succeeded */
export function judgeInstall(exit: BoxExit): void {
  const how = reason(exit);
  if (how !== null) throw new BuildFailure(`installation failed (${how})`);
}

function reason(exit: BoxExit): string | null {
  if (exit.appOverflow !== null) return OVERFLOWS[exit.appOverflow];
  if (exit.timedOut) return `it took longer than ${BUILD_TIMEOUT_MS / 1000} s`;
  if (exit.outOfMemory && exit.code !== 0)
    return `it needed more than ${BUILD_LIMITS.memoryBytes! / 1024 ** 2} MiB of memory`;
  if (exit.signal !== null) return `ended by ${exit.signal}`;
  return exit.code === 0 ? null : `exit code ${exit.code}`;
}
