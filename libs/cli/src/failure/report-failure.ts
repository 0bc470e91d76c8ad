import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  UnauthorizedError,
} from '@gatehouse/client';
import { CommanderError } from 'commander';

import { red, dim } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';
import { CommandFailure } from './command-failure.js';
import { EXIT, type ExitCode } from './exit-codes.js';

/** Says on standard error what went wrong and what to do next. */
export function reportFailure(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  const { message, advice, exitCode } = failureOf(error);
  console.error(`${red('error:')} ${plainText(message)}`);
  if (error instanceof ApiError) {
    for (const detail of error.details) {
      // Of a single wrong place, the message says as much.
      if (error.details.length > 1) console.error(plainText(`  ${detail.path}: ${detail.message}`));
    }
    if (error.status >= 500 && error.requestId) console.error(dim(`request ${error.requestId}`));
  }
  if (advice !== null) console.error(plainText(advice));
  return exitCode;
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof UnauthorizedError) {
    return new CommandFailure('You are not signed in.', 'Run: gatehouse login', EXIT.notAllowed);
  }
  if (error instanceof ForbiddenError) {
    return new CommandFailure(error.message, 'See who you are: gatehouse whoami', EXIT.notAllowed);
  }
  if (error instanceof NotFoundError || error instanceof InvalidRequestError) {
    return new CommandFailure(error.message, null, EXIT.wrongUse);
  }
  if (error instanceof ConnectionError)
    return new CommandFailure(error.message, 'Find out why: gatehouse doctor');
  if ((error as Error).name === 'ExitPromptError') return new CommandFailure('Nothing was done.');
  return new CommandFailure((error as Error).message ?? String(error));
}
