import { Injectable, Logger } from '@nestjs/common';

import { LateBodyCheck, type AccessRequest, type WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { type HeldKey, IdempotencyService, mismatch } from '../core/idempotency/index.js';
import { textOf } from '../core/json/index.js';
import { ByteMeter } from '../core/storage/index.js';
import { UsageService } from '../usage/index.js';
import type { FileDto } from './file.dto.js';
import { FileBlobsService } from './file-blobs.service.js';
import { UploadRecordsService } from './upload-records.service.js';
import { type IncomingFile, MAX_UPLOAD_BYTES, receiveUpload } from './upload-body.js';

interface Upload {
  file: FileDto;
  /** The file was made by an earlier request with the same Idempotency-Key. */
  replayed: boolean;
}

@Injectable()
export class UploadsService {
  private readonly logger = new Logger('Files');

  constructor(
    private readonly records: UploadRecordsService,
    private readonly blobs: FileBlobsService,
    private readonly idempotency: IdempotencyService,
    private readonly usage: UsageService,
    private readonly lateBodyCheck: LateBodyCheck,
  ) {}

  /**
   * Forms choose a new boundary each time, so an Idempotency-Key does not stand for the bytes of the body: whether a
   * retry is the same request is judged by the file that it brings.
   */
  async upload(request: AccessRequest, caller: WorkspaceCaller, name: string | undefined): Promise<Upload> {
    const named = this.idempotency.keyOf(request, caller.credentialId);
    if (!named) return { file: await this.receive(request, caller, name, null), replayed: false };
    return this.idempotency.holding(named, (key) => this.uploadOnce(request, caller, name, key));
  }

  private async uploadOnce(
    request: AccessRequest,
    caller: WorkspaceCaller,
    name: string | undefined,
    key: HeldKey,
  ): Promise<Upload> {
    const earlier = await this.idempotency.begin(key, this.idempotency.fingerprint(request, ''), caller);
    if (earlier) {
      const file = JSON.parse(textOf(earlier.body)) as FileDto;
      return { file: await this.compare(request, name, file), replayed: true };
    }
    try {
      return { file: await this.receive(request, caller, name, key), replayed: false };
    } catch (error) {
      await this.idempotency
        .fail(key, error)
        .catch((reason: unknown) => this.logger.warn(`A key could not be released: ${String(reason)}`));
      throw error;
    }
  }

  private async receive(
    request: AccessRequest,
    caller: WorkspaceCaller,
    givenName: string | undefined,
    key: HeldKey | null,
  ): Promise<FileDto> {
    const id = newId('file');
    await this.usage.assertRoom(caller.workspace.id, 'storage_bytes');
    const written: string[] = [];
    try {
      const { name, type, blob } = await receiveUpload(request, givenName, async ({ name, type, bytes }) => {
        const blob = await this.blobs.write(id, bytes, MAX_UPLOAD_BYTES);
        written.push(blob.key);
        return { name, type, blob };
      });
      await this.lateBodyCheck.afterBody(request);
      return await this.records.record(caller, { id, name, type, blob }, async (file) => {
        if (key) await this.idempotency.succeed(key, 201, file);
      });
    } catch (error) {
      // The bytes arrived, but what came after them failed.
      if (written.length > 0) await this.blobs.discard(written);
      throw error;
    }
  }

  private async compare(
    request: AccessRequest,
    givenName: string | undefined,
    file: FileDto,
  ): Promise<FileDto> {
    const { name, type, sha256 } = await receiveUpload(request, givenName, async ({ name, type, bytes }) => ({
      name,
      type,
      sha256: await digest(bytes),
    }));
    if (name !== file.name || type !== file.type || sha256 !== file.sha256) throw mismatch();
    return file;
  }
}

async function digest(bytes: IncomingFile['bytes']): Promise<string> {
  const meter = new ByteMeter(MAX_UPLOAD_BYTES);
  for await (const chunk of meter.through(bytes)) void chunk;
  return meter.sha256;
}
