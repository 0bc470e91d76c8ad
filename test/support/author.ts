import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const PACKAGES = ['.', './libs/extension', './libs/testing', './libs/cli'];
/** What an author's own package.json asks for besides what Gatehouse's packages bring. */
const TOOLS = ['typescript', 'vitest', '@types/node', '@nestjs/testing'];
const PAGES = 'docs/extending';
/** Those of an extension run on the Node of its Gatehouse, and not on the machine's. */
const OWN_NODE = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
const BLOCK = /^```ts title="(?<path>[^"#]+)[^"]*"\n(?<text>[\s\S]*?)^```$/gm;

interface Printed {
  stdout: string;
  stderr: string;
}

/** Somebody who writes extensions: a folder with the packages as they are packed, and nothing of the source tree. */
export class Author {
  private constructor(readonly folder: string) {}

  static async begin(): Promise<Author> {
    const author = new Author(await mkdtemp(join(tmpdir(), 'gatehouse-author-')));
    if (!typesAreCurrent())
      await author.run(process.execPath, ['libs/bootstrap/extension-api.mjs', '--check'], process.cwd());
    await author.run(process.execPath, ['libs/cli/build.mjs'], process.cwd());
    const pack = ['pack', ...PACKAGES, '--silent', '--ignore-scripts', '--pack-destination', author.folder];
    const { stdout: archives } = await author.run('npm', pack, process.cwd());
    await Promise.all(
      archives
        .trim()
        .split('\n')
        .map((archive) => author.unpack(archive)),
    );
    await author.linkRegistryPackages();
    return author;
  }

  end(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /** Runs a program that has to succeed. @throws with all that it printed. */
  async run(program: string, args: readonly string[], cwd = this.folder): Promise<Printed> {
    try {
      return await promisify(execFile)(program, args, { cwd, env: OWN_NODE, maxBuffer: 2 ** 26 });
    } catch (error) {
      const { stdout, stderr, message } = error as Error & Printed;
      throw new Error(`${message}\n${stdout}\n${stderr}`);
    }
  }

  /** A program of an installed package, as `npx` calls it. */
  program(name: string): string {
    return join(this.folder, 'node_modules', ...name.split('/'));
  }

  /**
   * Writes the files that a page shows, whole ones and those that it shows in parts.
   *
   * @returns their names
   */
  async follow(page: string, folder: string): Promise<string[]> {
    const files = new Map<string, string>();
    for (const { groups } of (await readFile(join(PAGES, page), 'utf8')).matchAll(BLOCK)) {
      const name = basename(groups!['path']!);
      files.set(name, `${files.get(name) ?? ''}${groups!['text']}\n`);
    }
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    return [...files.keys()];
  }

  private async unpack(archive: string): Promise<void> {
    const name = archive.replace(/-\d.*$/, '').replace(/^gatehouse-/, '@gatehouse/');
    const target = this.program(name);
    await mkdir(target, { recursive: true });
    await this.run('tar', ['-xzf', archive, '-C', target, '--strip-components=1']);
  }

  /** What npm would install of the registry: what the packages depend on, and the author's tools. */
  private async linkRegistryPackages(): Promise<void> {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: boolean; link?: boolean }>;
    };
    const installed = new Set(await readdir('node_modules', { recursive: false }));
    for (const [path, { dev, link }] of Object.entries(packages)) {
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
      if (name === undefined || link || (dev && !TOOLS.includes(name))) continue;
      if (!installed.has(name.split('/')[0]!)) continue;
      await mkdir(dirname(this.program(name)), { recursive: true });
      await symlink(resolve(path), this.program(name));
    }
  }
}

/** Whether the types that are packed were written after the program was built last. Making them takes half a minute. */
function typesAreCurrent(): boolean {
  const at = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return at('libs/extension/dist/index.d.ts') > at('dist/.program');
}
