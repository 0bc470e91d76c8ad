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
  const child = spawn(process.execPath, [resolve('dist/src/admin.js'), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (ended.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ended.stderr += chunk.toString()));
  child.stdin.end(stdin);
  return new Promise((done) => child.once('close', (code) => done({ ...ended, code })));
}
