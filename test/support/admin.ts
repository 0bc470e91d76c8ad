import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The operator's command line, as it really is. */
export function runAdmin(
  args: string[],
  env: Record<string, string>,
  stdin = '',
  cwd = process.cwd(),
): Promise<Ended> {
  return ended('admin', args, env, stdin, cwd);
}

/** A start that is expected to end by itself. */
export function runStart(env: Record<string, string>): Promise<Ended> {
  return ended('main', [], env);
}

function ended(
  program: 'admin' | 'main',
  args: string[],
  env: Record<string, string>,
  stdin = '',
  cwd = process.cwd(),
): Promise<Ended> {
  const child = spawn(process.execPath, [resolve(`dist/src/${program}.js`), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
  });
  const end: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (end.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (end.stderr += chunk.toString()));
  child.stdin.end(stdin);
  return new Promise((done) => child.once('close', (code) => done({ ...end, code })));
}
