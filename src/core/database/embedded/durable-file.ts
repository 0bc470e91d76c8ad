import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file as a whole, readable by its owner only. */
export async function writePrivately(path: string, content: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Makes names that were added, renamed or removed in `path` survive a loss of power. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
