import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { before as describeDtos } from '@nestjs/swagger/plugin';
import ts from 'typescript';

const PAGES = 'docs/how-to';

interface Block {
  page: string;
  language: string;
  path: string;
  text: string;
}

/** The built program with everything that the how-tos show, in a directory of its own. */
export interface ChangedProgram {
  /** `dist/src/main.js` of it. */
  main: string;
  remove(): Promise<void>;
}

/**
 * Makes the changes of every page, in order, and compiles what they touch against the program as it is built.
 *
 * @throws Error where a diff does not fit the file that it names, or what comes of it does not compile
 */
export async function programOfHowTos(): Promise<ChangedProgram> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-how-to-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await cp('dist', join(directory, 'dist'), { recursive: true, verbatimSymlinks: true });
    await cp('package.json', join(directory, 'package.json'));
    await symlink(resolve('node_modules'), join(directory, 'node_modules'));
    const files = await changedFiles();
    const sources = [...files].filter(([path]) => path.endsWith('.ts'));
    const paths = sources.map(([path]) => join(directory, 'dist', path));
    for (const [index, [, text]] of sources.entries()) {
      await mkdir(dirname(paths[index]!), { recursive: true });
      await writeFile(paths[index]!, text);
    }
    compile(paths);
    return { main: join(directory, 'dist', 'src', 'main.js'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
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

function compile(paths: string[]): void {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram(paths, {
    ...options,
    noEmit: false,
    incremental: false,
    composite: false,
    declaration: false,
    outDir: undefined,
    rootDir: undefined,
    tsBuildInfoFile: undefined,
  });
  const { plugins } = JSON.parse(readFileSync('nest-cli.json', 'utf8')).compilerOptions;
  const { diagnostics } = program.emit(undefined, undefined, undefined, undefined, {
    before: [describeDtos(plugins[0].options, program)],
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) {
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => process.cwd(),
        getNewLine: () => '\n',
      }),
    );
  }
}
