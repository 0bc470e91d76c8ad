import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './project.mjs';

/** What the OpenAPI document takes from types and comments, as `openapi-metadata.mjs` has recorded it. */
export const METADATA = join('src', 'openapi-metadata.json');
/** Nest's plugin, and which files it describes, as `nest-cli.json` has it. */
export const PLUGIN = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8')).compilerOptions
  .plugins[0];
const SUFFIXES = [...PLUGIN.options.dtoFileNameSuffix, ...PLUGIN.options.controllerFileNameSuffix];

/** Whether something is recorded of a file. */
export function isDescribed(path) {
  return path.startsWith('src/') && SUFFIXES.some((suffix) => path.endsWith(suffix));
}

/** Identifies the text that a record belongs to. */
export function digestOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** @returns {OpenApiInsertions} what the file at `path` has; nothing if it is missing or cannot be read as JSON */
export function readMetadata(path) {
  try {
    return new OpenApiInsertions(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return new OpenApiInsertions({});
  }
}

/** What is added to the source of DTOs and controllers before it is compiled. */
export class OpenApiInsertions {
  /**
   * @param {Record<string, { digest: string, insertions: [number, string][] }>} files by path; each insertion with the index in
   *   the text before which it belongs, in their order
   */
  constructor(files) {
    this.files = files;
  }

  /** Whether something is recorded of exactly this text of a file. */
  has(path, text) {
    return this.files[path]?.digest === digestOf(text);
  }

  /** Adds to a file what is recorded of it. Lines keep their numbers. */
  insertInto(path, text) {
    if (!this.has(path, text)) return text;
    let [result, done] = ['', 0];
    for (const [index, addition] of this.files[path].insertions) {
      result += text.slice(done, index) + addition;
      done = index;
    }
    return result + text.slice(done);
  }
}
