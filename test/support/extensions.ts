import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import ts from 'typescript';

/** A directory outside of the project, without packages, as a mounted one is. */
export class ExtensionFolder {
  private constructor(readonly path: string) {}

  static async make(): Promise<ExtensionFolder> {
    return new ExtensionFolder(await mkdtemp(join(tmpdir(), 'gatehouse-extensions-')));
  }

  /** Writes `<name>.mjs`, as the compiler makes it of TypeScript. Returns how a setting names it from this directory. */
  async add(name: string, source: string): Promise<string> {
    await this.write(`${name}.mjs`, compiled(source));
    return `./${name}.mjs`;
  }

  /** Writes a package that is installed here. */
  async install(name: string, version: string, source: string): Promise<string> {
    const folder = join('node_modules', name);
    const manifest = { name, version, type: 'module', exports: './index.js' };
    await this.write(join(folder, 'package.json'), JSON.stringify(manifest));
    await this.write(join(folder, 'index.js'), compiled(source));
    return name;
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.path, file)), { recursive: true });
    await writeFile(join(this.path, file), text);
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}

function compiled(source: string): string {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      useDefineForClassFields: false,
    },
  });
  return outputText;
}
