import { transformFileSync } from '@swc/core';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtLauncher } from './in-box.js';

const libsSandbox = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Writes the library as plain JavaScript into a directory, for tests that need it in a process of their own.
 * @returns the path of its `index.js`.
 */
export function compileInto(directory: string): string {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(libsSandbox)) {
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
    const { code } = transformFileSync(join(libsSandbox, name), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    writeFileSync(join(directory, name.replace(/ts$/, 'js')), code);
  }
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  copyFileSync(builtLauncher(), join(directory, 'launcher'));
  copyFileSync(join(dirname(builtLauncher()), 'addresses.so'), join(directory, 'addresses.so'));
  cpSync(join(dirname(builtLauncher()), 'door'), join(directory, 'door'), { recursive: true });
  chmodSync(join(directory, 'launcher'), 0o755);
  return join(directory, 'index.js');
}
