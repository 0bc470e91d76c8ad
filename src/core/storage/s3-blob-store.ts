import { Readable } from 'node:stream';

import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Logger } from '@nestjs/common';

import { assertBlobKey } from './blob-key.js';
import { assertByteRange } from './byte-range.js';
import type { ByteRange } from './byte-range.js';
import { s3ClientOptions } from './s3-client-options.js';
import { asS3Error, isS3Away } from './s3-errors.js';
import { SendingBlobStore } from './sending-blob-store.js';
import { BlobMissing, BlobRangeUnsatisfiable, StorageUnavailable } from './storage.errors.js';

const PROBE_MS = 5_000;
const LEFTOVER_MS = 24 * 60 * 60 * 1000;

export interface S3Location {
  bucket: string;
  /** Folder in the bucket; empty for all of it. */
  prefix: string;
  /** null: Amazon's own, found by the region. */
  endpoint: string | null;
  region: string;
}

/**
 * Blobs as objects of any S3-compatible store. It uses only what all of them speak: single-object calls, path-style
 * addresses at a given endpoint, and no checksum extensions there. Credentials come as the AWS SDK finds them.
 */
export class S3BlobStore extends SendingBlobStore {
  private readonly logger = new Logger(S3BlobStore.name);
  private readonly client: S3Client;
  private readonly folder: string;

  constructor(private readonly location: S3Location) {
    super();
    const prefix = location.prefix.replace(/^\/+|\/+$/g, '');
    this.folder = prefix === '' ? '' : `${prefix}/`;
    this.client = new S3Client(s3ClientOptions(location));
  }

  /** A store that is only away does not stop the start: it is used once it is back. */
  override async open(): Promise<void> {
    try {
      await this.ready();
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || !error.passing) throw error;
      this.logger.warn(error.message);
      return;
    }
    await this.abortUploadsBefore(new Date(Date.now() - LEFTOVER_MS));
  }

  override async ready(): Promise<void> {
    const { bucket: Bucket } = this.location;
    const abortSignal = AbortSignal.timeout(PROBE_MS);
    try {
      await this.client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
    } catch (error) {
      if (isS3Away(error)) throw asS3Error(error);
      // The response to a HEAD has no body and so no reason; this call gets one.
      const withReason = new ListObjectsV2Command({ Bucket, Prefix: this.folder, MaxKeys: 1 });
      await this.client.send(withReason, { abortSignal }).catch((reason: unknown) => {
        throw asS3Error(reason);
      });
    }
  }

  override async read(key: string, range: ByteRange = {}): Promise<Readable> {
    assertByteRange(range);
    const object = this.objectOf(key);
    const start = range.start ?? 0;
    const partial = start > 0 || range.end !== undefined;
    const Range = partial ? `bytes=${start}-${range.end ?? ''}` : undefined;
    try {
      const response = await this.client.send(new GetObjectCommand({ ...object, Range }));
      const body = response.Body as Readable;
      if (!partial || response.$metadata.httpStatusCode === 206) return body;
      body.destroy();
      throw new StorageUnavailable('The S3 store of GATEHOUSE_FILES does not serve ranges of bytes.', false);
    } catch (error) {
      if (!isUnsatisfiable(error)) throw asS3Error(error, key);
      // Byte 0 is out of range only where there are no bytes at all.
      if (start === 0) return Readable.from([]);
      throw new BlobRangeUnsatisfiable(start, null);
    }
  }

  override async size(key: string): Promise<number> {
    const object = this.objectOf(key);
    try {
      return (await this.client.send(new HeadObjectCommand(object))).ContentLength ?? 0;
    } catch (error) {
      throw asS3Error(error, key);
    }
  }

  protected override async deleteOne(key: string): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.objectOf(key)));
    } catch (error) {
      const known = asS3Error(error, key);
      if (!(known instanceof BlobMissing)) throw known;
    }
  }

  override async copyToFile(key: string, path: string, mode?: number): Promise<void> {
    try {
      await super.copyToFile(key, path, mode);
    } catch (error) {
      throw isS3Away(error) ? asS3Error(error, key) : error;
    }
  }

  override async close(): Promise<void> {
    this.client.destroy();
  }

  /**
   * Gives up uploads that a crash left unfinished, which a store would keep, and charge for, for ever. Only within a
   * prefix: in a bucket without one, they may be somebody else's.
   */
  async abortUploadsBefore(time: Date): Promise<void> {
    if (this.folder === '') return;
    const { bucket: Bucket } = this.location;
    try {
      const { Uploads = [] } = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix: this.folder }),
      );
      for (const { Key, UploadId, Initiated } of Uploads) {
        if (!Initiated || Initiated >= time) continue;
        await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
    } catch (error) {
      this.logger.warn(`Unfinished uploads were not cleaned up: ${asS3Error(error).message}`);
    }
  }

  protected override async send(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    let failed: { error: unknown } | null = null;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        yield* chunks;
      } catch (error) {
        failed = { error };
        throw error;
      }
    }
    const body = Readable.from(watched(), { highWaterMark: 1 });
    try {
      // One part at a time: a failed upload is then given up at once, and memory stays at two parts of 5 MiB.
      const params = { ...this.objectOf(key), Body: body };
      await new Upload({ client: this.client, queueSize: 1, params }).done();
    } catch (error) {
      body.destroy();
      throw (failed as { error: unknown } | null)?.error ?? asS3Error(error);
    }
  }

  private objectOf(key: string): { Bucket: string; Key: string } {
    assertBlobKey(key);
    return { Bucket: this.location.bucket, Key: this.folder + key };
  }
}

function isUnsatisfiable(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidRange';
}
