/** What a command exits with. */
export const EXIT = {
  done: 0,
  /** The run has failed or was cancelled, or the command itself has failed. */
  failed: 1,
  /** The command line is wrong, or what it names. */
  wrongUse: 2,
  /** The run waits for a person. */
  held: 3,
  /** Not signed in, or not allowed. */
  notAllowed: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
