import { StorageError, StorageFull, StorageUnavailable } from './storage.errors.js';
import type { DiskRole } from './storage.errors.js';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** What the kernel says when the directory cannot be used, and what somebody can do about it. */
const UNUSABLE: Record<string, { message: string; passing: boolean }> = {
  EACCES: unusable('The user that runs Gatehouse may not write to it: change its owner or its mode.'),
  EPERM: unusable('The user that runs Gatehouse may not write to it: change its owner or its mode.'),
  EROFS: unusable('It is on a read-only file system: mount that for writing.'),
  ENOTDIR: unusable('A part of its path is a file and not a directory.'),
  ENOENT: unusable('It is gone: restore or mount it again, then restart.'),
  ELOOP: unusable('Its path leads round in a loop of links.'),
  EIO: unusable('The disk reports an input/output error: check it.'),
  ESTALE: unusable('Its network file system is stale: mount it again.'),
  EMFILE: unusable('Too many files are open just now: raise the limit of open files (ulimit -n).', true),
  ENFILE: unusable('Too many files are open on this machine just now.', true),
};

/**
 * Makes a typed error of what the file system says; anything else passes as it is. Of a disk
 * that is not the store's, only "full" is known to be the operator's business.
 */
export function asDiskError(error: unknown, disk: DiskRole = 'store'): unknown {
  if (error instanceof StorageError) return error;
  const code = errnoOf(error);
  if (code === null) return error;
  if (FULL.has(code)) return new StorageFull(disk, error);
  const known = disk === 'store' ? UNUSABLE[code] : undefined;
  return known ? new StorageUnavailable(known.message, known.passing, error) : error;
}

/** Only what the disk says is translated: errors of a source reach the caller as they are. */
export async function onDisk<T>(step: () => Promise<T>, disk?: DiskRole): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw asDiskError(error, disk);
  }
}

/** `ENOENT` and the like, or null for an error that does not come from the system. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return error.code;
}

function unusable(advice: string, passing = false): { message: string; passing: boolean } {
  return { message: `The directory that GATEHOUSE_FILES names cannot be used. ${advice}`, passing };
}
