import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const PAGES = 'docs/how-to';
/** What is linked into the copy, or stays out of it. */
const NOT_COPIED = new Set([
  ...['.git', '.data', '.env', 'node_modules', 'dist/node', 'screenshots'],
  // Another test may be packing.
  ...['dist/packages', 'dist/packages.new'],
]);

interface Block {
  page: string;
  language: string;
  path: string;
  text: string;
}

/** A copy of the repository, whose branch `main` is what is here: everything that the how-tos show is a change of it. */
export interface ChangedCopy {
  /** `dist/src/main.js` of it. */
  main: string;
  /** Runs npm in it. */
  npm(...args: string[]): Promise<{ code: number | null; output: string }>;
  remove(): Promise<void>;
}

/** @throws Error where a diff of a page does not fit the file that it names */
export async function copyWithHowTos(): Promise<ChangedCopy> {
  const files = await changedFiles();
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-how-to-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await cp('.', directory, {
      recursive: true,
      filter: (path) => !NOT_COPIED.has(relative('.', path)),
    });
    await linkNode(directory);
    await linkPackages(directory);
    await commitAll(directory);
    for (const [path, text] of files) {
      await mkdir(join(directory, dirname(path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    return {
      main: join(directory, 'dist', 'src', 'main.js'),
      npm: (...args) => npmIn(directory, args),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Where the machine's own Node is too old, the commands have fetched one. */
async function linkNode(directory: string): Promise<void> {
  await symlink(resolve('dist', 'node'), join(directory, 'dist', 'node'));
}

/** Each package by itself: those of this repository are the copy's own. */
async function linkPackages(directory: string): Promise<void> {
  const ours = '@gatehouse';
  const modules = join(directory, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir('node_modules')) {
    if (name !== ours) await symlink(resolve('node_modules', name), join(modules, name));
  }
  await cp(join('node_modules', ours), join(modules, ours), { recursive: true, verbatimSymlinks: true });
}

async function commitAll(directory: string): Promise<void> {
  const git = (...args: string[]): Promise<unknown> => promisify(execFile)('git', args, { cwd: directory });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  const author = ['-c', 'user.name=A test', '-c', 'user.email=test@localhost'];
  await git(...author, 'commit', '--quiet', '--message=Before the how-tos');
}

function npmIn(directory: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((done, reject) => {
    let output = '';
    // Vitest's `test` would make the console a build for development.
    const env = { ...process.env, NODE_ENV: undefined };
    const child = spawn('npm', args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => done({ code, output }));
  });
}

/** Path → text of each file that the pages make or change. */
export async function changedFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const block of await blocks()) {
    if (block.language === 'diff') {
      const before = files.get(block.path) ?? (await readFile(block.path, 'utf8'));
      files.set(block.path, applied(block, before));
    } else files.set(block.path, block.text);
  }
  return files;
}

async function blocks(): Promise<Block[]> {
  const pages = (await readdir(PAGES)).filter((name) => /^\d/.test(name)).sort();
  const found: Block[] = [];
  for (const page of pages) {
    const text = await readFile(join(PAGES, page), 'utf8');
    for (const [, language, path, body] of text.matchAll(/^```(\w+) title="([^"]+)"\n([\s\S]*?)^```$/gm)) {
      found.push({ page, language: language!, path: path!, text: body! });
    }
  }
  return found;
}

/** Lines with a blank are there already, `-` goes and `+` comes; the last line may be the beginning of one. */
function applied({ page, path, text }: Block, before: string): string {
  const lines = text.trimEnd().split('\n');
  const side = (mark: string): string =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === mark)
      .map((line) => line.slice(1))
      .join('\n');
  const [old, changed] = [side('-'), side('+')];
  if (before.split(old).length !== 2) {
    throw new Error(`${page}: this is in ${path} ${before.split(old).length - 1} times, not once:\n${old}`);
  }
  return before.replace(old, () => changed);
}
