import { createHash } from 'node:crypto';

import { type InspectedArchive, readArchiveFile } from '../../libs/archive/index.js';
import type { BuildRecipe } from './build-recipe.js';

/** Raised when the same recipe comes to install differently. */
const FORM = 2;
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/**
 * What an installation is known by: how it is done, all the bytes that it sees, and what it is made for.
 *
 * @returns SHA-256 in hex
 * @throws InvalidInput at `archive`
 */
export async function contentKey(
  recipe: BuildRecipe,
  archive: InspectedArchive,
  runtime: string,
): Promise<string> {
  const seen: [string, string][] = [];
  for (const name of recipe.files ?? []) {
    const content = await readArchiveFile(archive, name, MAX_FILE_BYTES);
    if (content) seen.push([name, createHash('sha256').update(content).digest('hex')]);
  }
  const content = recipe.files ? seen : archive.sha256;
  return createHash('sha256')
    .update(JSON.stringify([FORM, recipe, content, runtime]))
    .digest('hex');
}
