export { READ_FILES } from './file-access.js';
export { FILE_PRUNER } from './file-blobs.sql.js';
export { FileDto } from './file.dto.js';
export { FilesModule } from './files.module.js';
export { FilesService } from './files.service.js';
export { releaseBlobsOf } from './release-blobs.sql.js';
export type { NewOutputFile } from './run-files.repository.js';
export { RunFilesService } from './run-files.service.js';
