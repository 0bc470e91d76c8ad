import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { FileBlob } from './file-blob.entity.js';
import { FileBlobs } from './file-blobs.js';
import { FileBlobsRepository } from './file-blobs.repository.js';
import { FileLinks } from './file-links.js';
import { FilePruner } from './file-pruner.js';
import { FilesController } from './files.controller.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';
import { RunFiles } from './run-files.js';
import { RunFilesRepository } from './run-files.repository.js';
import { StoredFile } from './stored-file.entity.js';
import { UploadsService } from './uploads.service.js';

/** Uploads, what runs are given and what they write. */
@Module({
  imports: [TypeOrmModule.forFeature([FileBlob, StoredFile])],
  controllers: [FilesController],
  providers: [
    FileBlobs,
    FileBlobsRepository,
    FileLinks,
    FilePruner,
    FilesRepository,
    FilesService,
    RunFiles,
    RunFilesRepository,
    UploadsService,
  ],
  exports: [RunFiles],
})
export class FilesModule {}
