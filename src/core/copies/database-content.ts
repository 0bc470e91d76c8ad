import type { Writable } from 'node:stream';

/** A table as far as its rows go. */
export interface TableShape {
  name: string;
  /** Without those that the database computes. */
  columns: string[];
}

export interface MigrationsOfExtension {
  extension: string;
  migrations: string[];
}

/** What makes the tables of a database, in the order in which it was carried out. */
export interface CarriedOut {
  migrations: string[];
  extensions: MigrationsOfExtension[];
}

/** Where a sequence stands, as a text, since it may be beyond what a number holds; null: it was never used. */
export interface SequenceState {
  name: string;
  value: string | null;
}

/** All that a database holds at one moment, wherever it is read from: another database, or a backup. */
export interface DatabaseContent {
  readonly carriedOut: CarriedOut;
  readonly tables: readonly TableShape[];
  readonly sequences: readonly SequenceState[];

  /** Writes the rows of a table in the text format of COPY, and ends `into`. Resolves with how many there are. */
  copy(table: TableShape, into: Writable): Promise<number>;
}
