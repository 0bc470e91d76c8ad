import type { Readable } from 'node:stream';

import { DiscoveryService } from '@nestjs/core';

/** Offsets in bytes, both inclusive. Both lie within the blob. */
export interface BlobRange {
  start: number;
  end: number;
}

/** What every method of a blob storage is given besides. */
export interface BlobCall {
  /** Is aborted when the time is up, after which nobody waits for the method any more. */
  signal: AbortSignal;
}

/** What `read` is given. */
export interface BlobRead extends BlobCall {
  /** null: all bytes. */
  range: BlobRange | null;
}

/**
 * What a class marked with `@BlobStorage(name)` looks like: a place for bytes under keys, which every process of a Gatehouse
 * reaches. There lie uploads, outputs of runs, the archives of scripts and what these depend on.
 *
 * Keys are texts of up to 200 characters of `[a-z0-9/_-]` without a dot, such as `files/fil_01…` or `content/<SHA-256>`, and are never
 * what somebody typed. Sizes and offsets are in bytes. A blob has from none to some GiB of them, so none is held in memory whole.
 *
 * An error says that the storage failed, and never that there is no blob. The message of an `Unavailable` is read by whoever
 * asked for a file: name no address and no secret in it. Of any other error nothing is said, and the log has its class and place.
 */
export interface BlobStorageProvider {
  /** Called once at start, where the storage is the one that is used. An error stops the start. It has 30 seconds. */
  open?(call: BlobCall): Promise<void>;

  /** Whether bytes can be stored and read now: resolves, or throws. It is asked for `/health/ready`, and has 5 seconds. */
  ready(call: BlobCall): Promise<void>;

  /**
   * Stores all of `bytes` under `key`, in place of what is there. When it resolves, every process reads them, and they survive a
   * crash. Until then, and where it fails, `key` has what it had before. So bytes are written elsewhere first, and put in their
   * place by one step. Several processes may write the same bytes under one key at once.
   *
   * @param bytes fails where an upload was broken off or is too large. Then throw, any error, and keep nothing of them
   * @param call `signal` is aborted once it has taken no byte for 60 seconds, though there were some
   */
  write(key: string, bytes: Readable, call: BlobCall): Promise<void>;

  /**
   * The bytes, or those of a range; null where there is no blob. It has 30 seconds to resolve, and for each chunk 60 more. A stream is
   * destroyed, and an iterator returned, where nobody reads on.
   */
  read(key: string, call: BlobRead): Promise<AsyncIterable<Uint8Array> | null>;

  /** How many bytes there are; null where there is no blob. It has 30 seconds. */
  size(key: string, call: BlobCall): Promise<number | null>;

  /** Deletes what is there, if anything is. It has 30 seconds. */
  delete(key: string, call: BlobCall): Promise<void>;
}

/**
 * Marks a provider as a place where bytes can be kept, by its name: that of the extension, or that and a dot and more. It is
 * used where `GATEHOUSE_FILES` is that name. Found when the application starts; two of one name stop it.
 *
 * @example
 * ```ts
 * \@BlobStorage('acme')
 * export class AcmeStorage implements BlobStorageProvider {
 *   async write(key: string, bytes: Readable, { signal }: BlobCall): Promise<void> {
 *     const upload = await this.acme.begin({ signal });
 *     try {
 *       for await (const chunk of bytes) await upload.add(chunk);
 *       await upload.finishAs(key);
 *     } catch (error) {
 *       await upload.abandon();
 *       throw error;
 *     }
 *   }
 *   // And ready, read, size and delete.
 * }
 * ```
 */
export const BlobStorage = DiscoveryService.createDecorator<string>();
