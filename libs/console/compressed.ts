import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|json)$/;
/** Level 9 takes a tenth of the time of 11, for four to eight percent more bytes: that is spent on what pages begin with. */
const qualityOf = (path: string): number => (/\/(sign-in|first|kit|all-styles)-[^/]*$/.test(path) ? 11 : 9);

/** Writes `.br` and `.gz` beside each file, so that the service compresses nothing for a response. */
export function compressed(): Plugin {
  let directory = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ root, build }) => void (directory = resolve(root, build.outDir)),
    async closeBundle() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
      await Promise.all(files.map((file) => compress(join(file.parentPath, file.name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: qualityOf(path),
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}
