import { EXIT, type ExitCode } from './exit-codes.js';

/** Ends a command with a message and, where there is one, the command that helps. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly advice: string | null = null,
    readonly exitCode: ExitCode = EXIT.failed,
  ) {
    super(message);
  }
}

export class WrongUse extends CommandFailure {
  constructor(message: string, advice: string | null = null) {
    super(message, advice, EXIT.wrongUse);
  }
}
