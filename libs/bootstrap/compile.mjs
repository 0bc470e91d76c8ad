import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { transform, version } from '@swc/core';

import { fingerprint, Stamp } from './freshness.mjs';
import { runNode } from './node.mjs';
import { isDescribed, METADATA, readMetadata } from './openapi-insertions.mjs';
import { ensurePackages } from './packages.mjs';
import { Obstacle, root, run } from './project.mjs';
import { listProgramModules } from './sources.mjs';

const OPTIONS = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  inlineSourcesContent: false,
  module: { type: 'nodenext' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    experimental: { keepImportAttributes: true },
  },
};
const HERE = join('libs', 'bootstrap');
const GENERATOR = join(HERE, 'openapi-metadata.mjs');
const METADATA_OF_CHANGES = join('dist', 'openapi-metadata.json');
/** How the modules in `dist` were compiled. */
const stamp = new Stamp(join(root, 'dist', '.compiler'));

/**
 * `node libs/bootstrap/compile.mjs`: makes JavaScript in `dist` of the modules that have changed, each by itself: types are
 * checked by `npm run check`. What the OpenAPI document takes from types was recorded before.
 */
await run(async () => {
  process.chdir(root);
  const modules = listProgramModules();
  const compiler = fingerprint(root, [join(HERE, 'compile.mjs')], { salt: version });
  const all = !stamp.matches(compiler);
  if (all) stamp.clear();
  const metadata = await currentMetadata(modules);
  // What is recorded of these may have changed, even where they have not.
  const stale = modules.filter((path) => all || isDescribed(path) || !isCompiled(path));
  for (const folder of new Set(stale.map(dirname))) await mkdir(join('dist', folder), { recursive: true });
  await Promise.all(stale.map((path) => compile(path, metadata)));
  stamp.write(compiler);
});

/** What is to be inserted. While DTOs or controllers differ from what is recorded of them, it is recorded in `dist`. */
async function currentMetadata(modules) {
  const described = modules.filter(isDescribed).map((path) => [path, readFileSync(path, 'utf8')]);
  for (const file of [METADATA, METADATA_OF_CHANGES]) {
    const recorded = readMetadata(file);
    if (described.every(([path, text]) => recorded.has(path, text))) return recorded;
  }
  console.log('Reading the types of DTOs and controllers, which have changed …');
  // The compiler is among what is for development.
  await ensurePackages({ all: true });
  const { code } = await runNode(GENERATOR, ['--to', METADATA_OF_CHANGES]);
  if (code !== 0)
    throw new Obstacle('What the OpenAPI document takes from types could not be read; see above.');
  return readMetadata(METADATA_OF_CHANGES);
}

/** A compiled module has the time of its source. */
function isCompiled(path) {
  const target = targetOf(path);
  if (!existsSync(target) || !existsSync(`${target}.map`)) return false;
  return Math.abs(statSync(target).mtimeMs - statSync(path).mtimeMs) < 1;
}

async function compile(path, metadata) {
  const target = targetOf(path);
  const { mtime } = statSync(path);
  const text = metadata.insertInto(path, await readFile(path, 'utf8'));
  const sourceFileName = relative(dirname(target), path);
  const { code, map } = await transform(text, { ...OPTIONS, filename: path, sourceFileName }).catch(
    (error) => {
      throw new Obstacle(`${path} could not be compiled:\n${error.message}`);
    },
  );
  await writeFile(`${target}.map`, map);
  await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  await utimes(target, mtime, mtime);
}

function targetOf(path) {
  return join('dist', path.replace(/\.ts$/, '.js'));
}
