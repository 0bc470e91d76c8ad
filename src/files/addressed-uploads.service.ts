import { Injectable } from '@nestjs/common';

import { RecalledCallers, type WorkspaceCaller } from '../core/access/index.js';
import { hashToken, isId, newId } from '../core/crypto/index.js';
import { Forbidden, ProblemError } from '../core/errors/index.js';
import type { GatehouseRequest } from '../core/http/index.js';
import { RateLimitInterceptor } from '../core/rate-limit/index.js';
import { BlobTooLarge } from '../core/storage/index.js';
import { UsageService } from '../usage/index.js';
import { WRITE_FILES } from './file-access.js';
import type { FileDto } from './file.dto.js';
import { FileBlobsService } from './file-blobs.service.js';
import { typeOfName } from './media-type.js';
import type { UploadAddress } from './upload-address.entity.js';
import { UploadAddressesRepository } from './upload-addresses.repository.js';
import { bytesOf } from './upload-body.js';
import { UploadRecordsService } from './upload-records.service.js';

const NOT_OPEN = 'This address is not valid, was used before, or is older than 15 minutes. Ask for another.';
const NOT_ALLOWED = 'Whoever asked for this address may not upload files there any more.';

/** Files that are sent to an address. It is worth no more than the credential that asked for it, which is judged once more. */
@Injectable()
export class AddressedUploadsService {
  constructor(
    private readonly addresses: UploadAddressesRepository,
    private readonly callers: RecalledCallers,
    private readonly blobs: FileBlobsService,
    private readonly records: UploadRecordsService,
    private readonly usage: UsageService,
    private readonly rateLimit: RateLimitInterceptor,
  ) {}

  /**
   * Stores the body of a request to an address, which is used up before a byte of it is read, whatever comes of it.
   *
   * @throws Forbidden where it is not open; BlobTooLarge
   */
  async receive(request: GatehouseRequest, id: string, token: string): Promise<FileDto> {
    try {
      const address = await this.open(request, id, hashToken(token));
      return await this.store(request, address);
    } catch (error) {
      // As a wrong credential does: tries of addresses are nobody's else.
      if (error instanceof Forbidden || error instanceof BlobTooLarge)
        this.rateLimit.countForAddress(request);
      // A client that is still writing has to hear of it.
      request.resume();
      throw error;
    }
  }

  private async open(request: GatehouseRequest, id: string, hash: Buffer): Promise<UploadAddress> {
    const address = isId('uploadAddress', id) ? await this.addresses.find(id, hash) : null;
    if (!address) throw new Forbidden(NOT_OPEN);
    await this.holderOf(address);
    const { workspaceId, maxBytes } = address;
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BlobTooLarge(maxBytes);
    await this.usage.assertRoom(workspaceId, 'storage_bytes');
    if (!(await this.addresses.take(id, hash))) throw new Forbidden(NOT_OPEN);
    return address;
  }

  private async store(request: GatehouseRequest, address: UploadAddress): Promise<FileDto> {
    const { name, maxBytes } = address;
    const id = newId('file');
    const blob = await this.blobs.write(id, bytesOf(request), maxBytes);
    try {
      // The bytes may have taken minutes: by now the grant may have ended.
      const caller = await this.holderOf(address);
      return await this.records.record(caller, { id, name, type: typeOfName(name), blob });
    } catch (error) {
      await this.blobs.discard([blob.key]);
      throw error;
    }
  }

  private async holderOf(address: UploadAddress): Promise<WorkspaceCaller> {
    const caller = await this.recall(address);
    const { workspace, environment } = caller;
    const isSamePlace = workspace.id === address.workspaceId && environment.id === address.environmentId;
    if (!isSamePlace) throw new Forbidden(NOT_ALLOWED);
    return caller;
  }

  private async recall(address: UploadAddress): Promise<WorkspaceCaller> {
    const credential = { strategy: address.credentialStrategy, hash: address.credentialHash };
    const place = { workspace: address.workspaceSlug, environment: address.environmentName };
    try {
      return await this.callers.recall(credential, place, WRITE_FILES);
    } catch (error) {
      if (error instanceof ProblemError) throw new Forbidden(NOT_ALLOWED);
      throw error;
    }
  }
}
