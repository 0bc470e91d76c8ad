import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

import type { LogSinkSettings } from '../../core/config/index.js';
import { s3ClientOptions } from '../../core/storage/index.js';
import type { Sink, SinkRecord } from './sink.js';

/** As many digits as the largest number has, so that names sort as numbers do. */
const DIGITS = 16;

/**
 * Objects of a bucket, each of some lines of JSON. An object is named by its first entry: sent again, it replaces what a
 * sender that died has left there, and has at least as many lines. A restored copy gives a number to another entry, and
 * replaces nothing.
 */
export class S3Sink implements Sink {
  readonly gatherMs = 60_000;
  private readonly client: S3Client;
  private readonly folder: string;

  constructor(private readonly location: LogSinkSettings & { kind: 's3' }) {
    this.client = new S3Client(s3ClientOptions(location));
    this.folder = location.prefix === '' ? '' : `${location.prefix}/`;
  }

  async send(entries: readonly SinkRecord[], abortSignal: AbortSignal): Promise<void> {
    const { number, id } = entries[0]!;
    const object = {
      Bucket: this.location.bucket,
      Key: `${this.folder}${String(number).padStart(DIGITS, '0')}-${id}.ndjson`,
      Body: entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
      ContentType: 'application/x-ndjson',
    };
    await this.client.send(new PutObjectCommand(object), { abortSignal });
  }
}
