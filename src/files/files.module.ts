import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

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
import { StoredFile } from './stored-file.entity.js';
import { UploadsService } from './uploads.service.js';

/** Uploads, what runs are given and what they write. */
@Module({
  imports: [TypeOrmModule.forFeature([FileBlob, StoredFile])],
  controllers: [FilesController],
  providers: [
    FileBlobsService,
    FileBlobsRepository,
    FileLinksService,
    FilePruner,
    FilesRepository,
    FilesService,
    RunFilesService,
    RunFilesRepository,
    UploadsService,
  ],
  exports: [FilesService, RunFilesService],
})
export class FilesModule {}
