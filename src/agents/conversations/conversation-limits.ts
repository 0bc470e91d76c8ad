/** What is kept of a person's conversations with agents. */
export const CONVERSATION_LIMITS = {
  /** From so much on, no further message is taken: 400 KiB is what a client may send itself. */
  bytes: 400 * 1024,
  entries: 1_000,
  /** A turn that would go beyond this is ended. */
  bytesInTurn: 800 * 1024,
  entriesInTurn: 1_200,
  /** What is kept of one text. */
  bytesOfText: 64 * 1024,
  /** Of one person, key or app in a workspace. */
  each: 500,
  /** Calls that wait for runs, looked at when a turn begins; the latest first. */
  looks: 40,
} as const;
