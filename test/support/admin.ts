import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const { PATH, NODE_COMPILE_CACHE } = process.env;
const PASSED_ON = { PATH, NODE_COMPILE_CACHE };

/** The operator's command line, as it really is. */
export function runAdmin(
  args: string[],
  env: Record<string, string>,
  stdin = '',
  cwd = process.cwd(),
): Promise<Ended> {
  const child = spawn(process.execPath, [resolve('dist/src/admin.js'), ...args], {
    cwd,
    env: { ...PASSED_ON, ...env },
  });
  return endOf(child, stdin);
}

/** A start that is expected to end by itself, or by whoever hears what it prints, which is text unless `env` says otherwise. */
export function runStart(
  env: Record<string, string>,
  hear: (printed: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [resolve('dist/src/main.js')], {
    env: { ...PASSED_ON, GATEHOUSE_LOG_FORMAT: 'text', ...env },
  });
  child.stdout.on('data', (chunk: Buffer) => hear(chunk.toString(), child));
  return endOf(child, '');
}

function endOf(child: ChildProcessWithoutNullStreams, stdin: string): Promise<Ended> {
  const end: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (end.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (end.stderr += chunk.toString()));
  child.stdin.end(stdin);
  return new Promise((done) => child.once('close', (code) => done({ ...end, code })));
}
