/**
 * What storage can fail with. The messages name settings, never paths, hosts or keys of the store, so they may be
 * shown to whoever asked; `cause` holds the details for the log.
 */
export abstract class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
  }
}

/** No bytes are stored under the key. */
export class BlobMissing extends StorageError {
  constructor(
    readonly key: string,
    cause?: unknown,
  ) {
    super(
      'The stored bytes are gone. If Gatehouse runs on several machines, GATEHOUSE_FILES must name the same store on all of them.',
      cause,
    );
  }
}

/** The source held more than `maxBytes`; nothing was stored. */
export class BlobTooLarge extends StorageError {
  constructor(readonly maxBytes: number) {
    super(`There are more than ${maxBytes} bytes, which is the limit.`);
  }
}

/** The range starts at or after the end: HTTP's 416. */
export class BlobRangeUnsatisfiable extends StorageError {
  constructor(
    readonly start: number,
    /** Bytes in the blob, or null where the store did not say. */
    readonly size: number | null,
  ) {
    super(
      `The range starts at byte ${start}, but there are ${size === null ? 'fewer' : `only ${size}`} bytes.`,
    );
  }
}

/** Which disk: the store's own, the one that a run's files are copied to, or the one where bytes wait for an S3 store. */
export type DiskRole = 'store' | 'target' | 'spool';

const FULL: Record<DiskRole, string> = {
  store:
    'No space is left in the file store. Free some, raise its quota, or point GATEHOUSE_FILES at a larger one.',
  target: 'No space is left on the disk that files are copied to for a run. Free some on this worker.',
  spool: 'No space is left in the temporary directory. Free some, or set TMPDIR to a larger disk.',
};

/** The disk, its quota or the bucket's quota is used up. The bytes were not stored and nothing was left behind. */
export class StorageFull extends StorageError {
  constructor(disk: DiskRole, cause?: unknown) {
    super(FULL[disk], cause);
  }
}

/** The store cannot be used now. */
export class StorageUnavailable extends StorageError {
  constructor(
    message: string,
    /** True: it may work soon by itself. False: somebody has to change a setting, a right or the store first. */
    readonly passing: boolean,
    cause?: unknown,
  ) {
    super(message, cause);
  }
}
