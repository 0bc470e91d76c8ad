export { MAX_ARCHIVE_BYTES, MAX_ENTRIES, MAX_UNPACKED_BYTES } from './archive-limits.js';
export { inspectArchive, readArchiveFile } from './inspect-archive.js';
export type { InspectedArchive } from './inspect-archive.js';
export { addEntry, type PackedEntry } from './add-entry.js';
export { packDirectory } from './pack-directory.js';
export { unpackArchive } from './unpack-archive.js';
export { refuseRepositories } from './repository-names.js';
