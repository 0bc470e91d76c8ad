import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  UnauthorizedError,
} from '@gatehouse/client';
import { CommanderError } from 'commander';

import { credentialVariable } from '../settings/settings.js';
import { dim, red } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { CommandFailure, WrongUse } from './command-failure.js';
import { EXIT, type ExitCode } from './exit-codes.js';

/** Says on standard error what went wrong and what to do next. */
export function reportFailure(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  const { message, advice, exitCode } = failureOf(error);
  say(`${red('error:')} ${message}`);
  if (error instanceof ApiError) {
    for (const detail of error.details) {
      // Of a single wrong place, the message says as much.
      if (error.details.length > 1) say(`  ${detail.path}: ${detail.message}`);
    }
    if (error.status >= 500 && error.requestId) say(dim(`request ${error.requestId}`));
  }
  if (advice !== null) say(advice);
  return exitCode;
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof UnauthorizedError) return signedOut();
  if (error instanceof ForbiddenError) {
    return new CommandFailure(error.message, adviceForForbidden(error.message), EXIT.notAllowed);
  }
  if (error instanceof NotFoundError || error instanceof InvalidRequestError) {
    return new WrongUse(error.message);
  }
  if (error instanceof ConnectionError)
    return new CommandFailure(error.message, 'Find out why: gatehouse doctor');
  if (isOfFile(error)) return new WrongUse(`${error.path}: ${WORDS[error.code ?? ''] ?? error.message}`);
  const { name, message } = error as Error;
  // Ctrl-C at a question.
  if (name === 'ExitPromptError') return new CommandFailure('Nothing was done.');
  return new CommandFailure(message ?? String(error));
}

function signedOut(): CommandFailure {
  const variable = credentialVariable();
  if (variable === null) {
    return new CommandFailure('You are not signed in.', 'Run: gatehouse login', EXIT.notAllowed);
  }
  const [what, more] =
    variable === 'GATEHOUSE_TOKEN' ? ['token', ', or tokens are switched off'] : ['API key', ''];
  return new CommandFailure(
    `The ${what} in ${variable} is not good: it was revoked or has expired${more}.`,
    'Set another, or unset it and run: gatehouse login',
    EXIT.notAllowed,
  );
}

function adviceForForbidden(message: string): string {
  const [, scopes] = /was not granted the scope ([\w.:, ]+)\./.exec(message) ?? [];
  if (scopes === undefined) return 'See who you are: gatehouse whoami';
  if (credentialVariable() === 'GATEHOUSE_TOKEN')
    return 'Make a token that has it, in the app under Account.';
  const options = scopes.split(', ').map((scope) => `--scope ${scope}`);
  return `Sign in again with it: gatehouse login ${options.join(' ')}`;
}

/** Of files of this machine that were named and cannot be read or written. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not',
  EPERM: 'you may not',
  EISDIR: 'that is a folder',
  ENOTDIR: 'that is no folder',
  ENOSPC: 'the disk is full',
};

const isOfFile = (error: unknown): error is NodeJS.ErrnoException & { path: string } =>
  error instanceof Error && 'syscall' in error && typeof (error as { path?: unknown }).path === 'string';
