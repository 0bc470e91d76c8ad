import type { CarriedOut, SequenceState, TableShape } from '../../core/copies/index.js';
import type { StoredBytes } from '../../core/storage/index.js';

/** Sealed bytes of a backup, as they lie there. */
export interface Part extends StoredBytes {
  key: string;
}

export interface StoredTable extends TableShape {
  rows: number;
  part: Part;
}

/** The bytes of a file of the service. Backups of one place share them. */
export interface StoredBlob {
  key: string;
  /** Before they were sealed. */
  size: number;
  part: Part;
}

/** What a backup is made of. It is written once all of that is there. */
export interface Manifest {
  format: 1;
  id: string;
  takenAt: string;
  /** Of the Gatehouse that made it. */
  version: string;
  /** Which master key its secrets need, and that key where it was kept in the data directory. */
  masterKey: { id: string; part: Part | null };
  carriedOut: CarriedOut;
  tables: StoredTable[];
  sequences: readonly SequenceState[];
  blobs: StoredBlob[];
  /** Keys of bytes that the service itself had lost. */
  lost: string[];
}

/** The backups of a place, oldest first. It is replaced by one step, as the last one of a backup: what it does not name is none. */
export interface Catalogue {
  format: 1;
  backups: { id: string; takenAt: string; manifest: Part }[];
  /** Keys of parts that no backup needs: of one that was cut off, or that was not to be kept. The next one deletes them. */
  leaving: string[];
}

export const CATALOGUE = 'catalogue';
export const NO_BACKUPS: Catalogue = { format: 1, backups: [], leaving: [] };

/** The keys of all that a backup is made of, but its manifest. */
export function keysOf({ tables, blobs, masterKey }: Manifest): string[] {
  const parts = [...tables, ...blobs].map(({ part }) => part);
  return [...parts, ...(masterKey.part ? [masterKey.part] : [])].map(({ key }) => key);
}

const MOST_NAMED = 20;

/** What is to be said of files that the service had lost when the backup was made. */
export function lostLines({ lost }: Manifest): string[] {
  if (lost.length === 0) return [];
  const more = lost.length - MOST_NAMED;
  const named = lost.slice(0, MOST_NAMED).join(', ');
  return [
    `Missing from the place for files when it was made: ${named}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}
