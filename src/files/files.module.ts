import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AddressedUploadsService } from './addressed-uploads.service.js';
import { FileBlob } from './file-blob.entity.js';
import { FileBlobsService } from './file-blobs.service.js';
import { FileBlobsRepository } from './file-blobs.repository.js';
import { FileLinksService } from './file-links.service.js';
import { FilePruner } from './file-pruner.js';
import { FilesController } from './files.controller.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';
import { RunFilesService } from './run-files.service.js';
import { RunFilesRepository } from './run-files.repository.js';
import { RunLogPart } from './run-log-part.entity.js';
import { RunLogPartsRepository } from './run-log-parts.repository.js';
import { RunLogPartsService } from './run-log-parts.service.js';
import { StoredFile } from './stored-file.entity.js';
import { UploadAddress } from './upload-address.entity.js';
import { UploadAddressesController } from './upload-addresses.controller.js';
import { UploadAddressesRepository } from './upload-addresses.repository.js';
import { UploadAddressesService } from './upload-addresses.service.js';
import { UploadRecordsService } from './upload-records.service.js';
import { UploadsService } from './uploads.service.js';

/** Uploads, what runs are given and what they write. */
@Module({
  imports: [TypeOrmModule.forFeature([FileBlob, RunLogPart, StoredFile, UploadAddress])],
  controllers: [UploadAddressesController, FilesController],
  providers: [
    AddressedUploadsService,
    FileBlobsService,
    FileBlobsRepository,
    FileLinksService,
    FilePruner,
    FilesRepository,
    FilesService,
    RunFilesService,
    RunFilesRepository,
    RunLogPartsRepository,
    RunLogPartsService,
    UploadAddressesRepository,
    UploadAddressesService,
    UploadRecordsService,
    UploadsService,
  ],
  exports: [FilesService, RunFilesService, RunLogPartsService, UploadAddressesService, UploadRecordsService],
})
export class FilesModule {}
