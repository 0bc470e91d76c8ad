import { SandboxUnavailable } from '../../../libs/sandbox/index.js';

/** Why a run failed. The message is shown to everybody who may see the run. */
export class RunFailure extends Error {}

/**
 * Why something failed, for people who need not know where this machine has its files: of an error of the system without the
 * paths, in one line.
 */
export function shownReason(error: unknown): string {
  if (error instanceof SandboxUnavailable)
    return 'no box could be prepared for it; the worker has logged why';
  const { message, syscall } = error as NodeJS.ErrnoException;
  const shown = syscall === undefined ? (message ?? String(error)) : message.replace(/ ['/].*$/s, '');
  return shown.replace(/\p{Cc}+/gu, ' ');
}
