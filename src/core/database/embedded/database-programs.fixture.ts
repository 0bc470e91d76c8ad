import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

const sources = fileURLToPath(new URL('.', import.meta.url));

/** Databases of programs of their own, which can be killed or belong to another user. */
export class DatabasePrograms {
  private running: ChildProcess[] = [];

  /** @param app a folder that is made for the program's code */
  constructor(private readonly app: string) {
    compileInto(app);
  }

  spawn(dataDir: string, uid?: number): ChildProcess {
    const { app } = this;
    const command = [process.execPath, join(app, 'program.js'), dataDir];
    const asOther = [
      // Mounted where anyone may go: the clone, and Node itself, may lie in root's home.
      ...['bwrap', '--dev-bind', '/', '/', '--tmpfs', '/mnt', '--ro-bind', app, '/mnt/app'],
      ...[
        '--ro-bind',
        resolve('node_modules'),
        '/mnt/node_modules',
        '--ro-bind',
        process.execPath,
        '/mnt/node',
      ],
      ...['--', 'setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'],
      ...['/mnt/node', '--preserve-symlinks', '--preserve-symlinks-main', '/mnt/app/program.js', dataDir],
    ];
    const [file, ...args] = uid === undefined ? command : asOther;
    const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.running.push(child);
    return child;
  }

  /** Resolves when the database can be reached. */
  async start(dataDir: string, uid?: number): Promise<{ process: ChildProcess; url: string }> {
    const child = this.spawn(dataDir, uid);
    const [url] = (await Promise.race([
      once(createInterface(child.stdout!), 'line'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
    ])) as [string];
    return { process: child, url };
  }

  killAll(): void {
    for (const child of this.running.splice(0)) child.kill('SIGKILL');
  }
}

/** The program stops when its input ends. */
function compileInto(directory: string): void {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  for (const name of readdirSync(sources)) {
    if (!/^[\w-]+\.ts$/.test(name)) continue;
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    const { outputText } = ts.transpileModule(readFileSync(join(sources, name), 'utf8'), { compilerOptions });
    writeFileSync(join(directory, name.replace(/\.ts$/, '.js')), outputText);
  }
  const program = `
    import { EmbeddedPostgres } from './embedded-postgres.js';
    const server = new EmbeddedPostgres({ dataDir: process.argv[2] });
    console.log((await server.start()).url);
    process.stdin.resume().on('end', () => server.stop().then(() => process.exit()));
  `;
  writeFileSync(join(directory, 'program.js'), program);
}
