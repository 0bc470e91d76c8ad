import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { ensureConsole } from './console.mjs';
import { Obstacle, root, run } from './project.mjs';

const KB = 1024;
/** What a person waits for before the first page is drawn, and then for each further one; compressed. */
const FIRST_PAGE = 180 * KB;
const FURTHER_PAGE = 120 * KB;

const dist = join(root, 'libs', 'console', 'dist');
const ENTRY = 'index.html';
const FRAME = 'src/app/workspace-frame.tsx';

/** Fails where a page of the console weighs more than it may. */
await run(async () => {
  await ensureConsole();
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
  const first = filesOf(manifest, [ENTRY]);
  const frame = filesOf(manifest, [ENTRY, FRAME]);
  const pages = Object.keys(manifest).filter((name) => /-page\.tsx$/.test(name));
  const sizes = [
    ['the first page', weight(first), FIRST_PAGE],
    ['the frame', weight(without(frame, first)), FURTHER_PAGE],
    ...pages.map((name) => [name, weight(without(filesOf(manifest, [name]), frame)), FURTHER_PAGE]),
  ];
  const heaviest = sizes.slice(2).sort(([, a], [, b]) => b - a)[0];
  const tooHeavy = sizes.filter(([, size, limit]) => size > limit);
  if (tooHeavy.length > 0) {
    throw new Obstacle(
      `Too heavy, compressed:\n${tooHeavy.map(([name, size, limit]) => `${name}: ${kilobytes(size)}, at most ${kilobytes(limit)}`).join('\n')}`,
    );
  }
  console.log(
    `the console: ${kilobytes(sizes[0][1])} first, ${kilobytes(sizes[1][1])} for the frame, ${kilobytes(heaviest[1])} at most for a page (${heaviest[0]})`,
  );
});

/** The chunks and styles that are loaded with these, without what is only loaded when it is used. */
function filesOf(manifest, names, seen = new Set()) {
  const files = new Set();
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const { file, css = [], imports = [] } = manifest[name];
    for (const path of [file, ...css, ...filesOf(manifest, imports, seen)]) files.add(path);
  }
  return files;
}

function without(files, others) {
  return new Set([...files].filter((file) => !others.has(file)));
}

function weight(files) {
  return [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.br`)).size, 0);
}

function kilobytes(size) {
  return `${Math.ceil(size / KB)} KB`;
}
