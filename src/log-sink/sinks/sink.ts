/** What a line says, whatever it is written in. */
export interface SinkRecord {
  /** Goes up by one from entry to entry: a gap tells a loss, and a number that comes again a repetition. */
  number: number;
  /** `deleted`: its row was gone before it could be sent. */
  kind: 'audit' | 'run' | 'deleted';
  id: string;
  time: Date;
  /** null: it is about no workspace. */
  workspaceId?: string | null;
  action?: string;
  [more: string]: unknown;
}

/** A place outside. It may get an entry more than once, always with its number. */
export interface Sink {
  /** Milliseconds for which entries are gathered, unless there are as many as are sent at once. */
  readonly gatherMs: number;
  /** Resolves once they are taken, in order; else it throws, and they come again. */
  send(entries: readonly SinkRecord[], signal: AbortSignal): Promise<void>;
}
