import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The command line as a package in this folder. @returns the archive's path */
export async function packCommandLine(directory: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', directory], {
    cwd: join('libs', 'cli'),
  });
  return join(directory, stdout.trim().split('\n').at(-1)!);
}
