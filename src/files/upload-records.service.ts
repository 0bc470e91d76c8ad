import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { DiskRoom } from '../core/disk/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { UsageService } from '../usage/index.js';
import type { FileDto } from './file.dto.js';
import { FileBlobsService, type StoredBlob } from './file-blobs.service.js';
import { FileLinksService } from './file-links.service.js';
import { baseName, charactersProblem, fileNameProblem } from './file-name.js';
import { presentFile } from './file-presenter.js';
import { FilesRepository } from './files.repository.js';
import { typeOfName } from './media-type.js';

interface StoredUpload {
  id: string;
  name: string;
  type: string;
  blob: StoredBlob;
}

/** Records what was uploaded, however its bytes have come. */
@Injectable()
export class UploadRecordsService {
  constructor(
    private readonly files: FilesRepository,
    private readonly blobs: FileBlobsService,
    private readonly links: FileLinksService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly usage: UsageService,
    private readonly disk: DiskRoom,
  ) {}

  /**
   * A file of bytes that are in memory already.
   *
   * @throws InvalidRequest at `name`
   */
  async store(caller: WorkspaceCaller, givenName: string, bytes: Buffer): Promise<FileDto> {
    const name = baseName(givenName);
    const problem = fileNameProblem(name) ?? charactersProblem(givenName);
    if (problem) throw InvalidRequest.at('name', `the file's name ${problem}`);
    this.disk.assertEnough();
    await this.usage.assertRoom(caller.workspace.id, 'storage_bytes');
    const id = newId('file');
    const blob = await this.blobs.write(id, Readable.from([bytes]), bytes.length);
    try {
      return await this.record(caller, { id, name, type: typeOfName(name), blob });
    } catch (error) {
      await this.blobs.discard([blob.key]);
      throw error;
    }
  }

  /** `alongside`: what is written in the same transaction. */
  record(
    caller: WorkspaceCaller,
    { id, name, type, blob }: StoredUpload,
    alongside: (file: FileDto) => Promise<void> = async () => undefined,
  ): Promise<FileDto> {
    const inPerson = caller.kind === 'session' || caller.kind === 'personal_token';
    return this.database.transaction(async () => {
      const row = await this.files.insertUpload({
        id,
        workspaceId: caller.workspace.id,
        environmentId: caller.environment.id,
        name,
        type,
        size: blob.size,
        sha256: blob.sha256,
        blobKey: blob.key,
        createdByUserId: caller.person?.id ?? null,
        credentialId: caller.credentialId,
        credentialName: inPerson ? null : caller.credentialName,
      });
      await this.usage.assertStored(caller.workspace.id, blob.size);
      await this.audit.record(caller.workspace.id, caller, 'file.uploaded', { type: 'file', id }, { name });
      const file = presentFile(row, this.links.to);
      await alongside(file);
      return file;
    });
  }
}
