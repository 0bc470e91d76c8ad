import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { ensureConsole } from './console.mjs';
import { Obstacle, root, run } from './project.mjs';

const KB = 1024;
/** All that the page to sign in loads, compressed as it is sent. */
const SIGN_IN_PAGE = 90_000;
/** What a person waits for before the frame of a workspace is drawn, and then for each page; compressed. */
const FIRST_PAGE = 210 * KB;
const FURTHER_PAGE = 140 * KB;

const dist = join(root, 'libs', 'console', 'dist');
const ENTRY = 'index.html';
const SIGN_IN = 'sign-in.html';

/** Fails where a page of the console weighs more than it may. */
await run(async () => {
  await ensureConsole();
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
  const first = filesOfPage(ENTRY);
  const pages = Object.keys(manifest).filter((name) => /-page\.tsx$/.test(name));
  const signIn = weight(filesOfPage(SIGN_IN)) + statSync(join(dist, SIGN_IN)).size;
  const sizes = [
    ['the sign-in page', signIn, SIGN_IN_PAGE],
    ['the first page', weight(first), FIRST_PAGE],
    ...pages.map((name) => [name, weight(filesOf(manifest, [name]).difference(first)), FURTHER_PAGE]),
  ];
  const heaviest = sizes.slice(2).sort(([, a], [, b]) => b - a)[0];
  const tooHeavy = sizes.filter(([, size, limit]) => size > limit);
  if (tooHeavy.length > 0) {
    throw new Obstacle(
      `Too heavy, compressed:\n${tooHeavy.map(([name, size, limit]) => `${name}: ${kilobytes(size)}, at most ${kilobytes(limit)}`).join('\n')}`,
    );
  }
  console.log(
    `the console: ${kilobytes(signIn)} to sign in, ${kilobytes(sizes[1][1])} first, ${kilobytes(heaviest[1])} at most for a page (${heaviest[0]})`,
  );
});

/** All that is loaded with a page. */
function filesOfPage(page) {
  const html = readFileSync(join(dist, page), 'utf8');
  return new Set(html.matchAll(/(?:src|href)="\.\/([^"]+)"/g).map(([, path]) => path));
}

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

function weight(files) {
  return [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.br`)).size, 0);
}

function kilobytes(size) {
  return `${Math.ceil(size / KB)} KB`;
}
