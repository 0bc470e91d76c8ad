import { cutText } from '../cut-text/index.js';
import { InvalidInput } from '../invalid-input/index.js';

/** The most bytes of an archive as uploaded, decoded. */
export const MAX_ARCHIVE_BYTES = 10 * 1024 * 1024;
/** The most bytes of all files together, unpacked. */
export const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;
/** Files, folders and links together; and folders that only paths name. */
export const MAX_ENTRIES = 20_000;
/** Folders within each other. */
export const MAX_DEPTH = 100;
/** Names, padding and headers come on top of the files; a stream past this is a bomb made of headers. */
export const MAX_TAR_BYTES = MAX_UNPACKED_BYTES + 64 * 1024 * 1024;

/** The refusal of an archive as a whole, at `archive`. */
export function badArchive(message: string): InvalidInput {
  return InvalidInput.at('archive', message);
}

/** The refusal of one entry of an archive, at `archive`, naming the entry. */
export function badEntry(name: string, message: string): InvalidInput {
  const quoted = JSON.stringify(cutText(name, 200, '…'));
  return badArchive(`the entry ${quoted} ${message}`);
}
