import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What may still be written to a file system, and of how much. */
export interface RoomOnDisk {
  device: number;
  bytes: number;
  totalBytes: number;
  /** How many files; null where the file system does not count them. */
  files: number | null;
  totalFiles: number;
}

/** The room below a path that may have to be made yet. */
export async function roomBelow(path: string): Promise<RoomOnDisk> {
  try {
    const [{ dev }, { bavail, blocks, bsize, ffree, files }] = await Promise.all([stat(path), statfs(path)]);
    return {
      device: dev,
      bytes: bavail * bsize,
      totalBytes: blocks * bsize,
      files: files > 0 ? ffree : null,
      totalFiles: files,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) throw error;
    return roomBelow(dirname(path));
  }
}

/** As a person writes it. */
export function megabytes(bytes: number): string {
  return bytes < 1e10 ? `${Math.floor(bytes / 1e6)} MB` : `${Math.floor(bytes / 1e9)} GB`;
}
