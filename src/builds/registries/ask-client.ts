import { execFile } from 'node:child_process';

const PATIENCE_MS = 20_000;
const MOST_BYTES = 1024 * 1024;

/** A package manager's configuration cannot be read. The message holds nothing that it printed: that may be a credential. */
export class ClientUnusable extends Error {
  override readonly name = 'ClientUnusable';
}

/**
 * Runs a small program in a package manager's own language that prints its configuration as JSON. It runs in `/`, so no
 * project's configuration counts. It has this process's environment, which may configure it as well.
 *
 * @throws ClientUnusable
 */
export function askClient<T>(command: string, args: readonly string[], what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const options = { cwd: '/', timeout: PATIENCE_MS, maxBuffer: MOST_BYTES };
    execFile(command, args, options, (error, stdout) => {
      if (error) {
        const how = error.killed ? 'did not respond' : `failed (exit code ${error.code ?? 'unknown'})`;
        return reject(new ClientUnusable(`${what} ${how}`));
      }
      try {
        resolve(JSON.parse(stdout) as T);
      } catch {
        reject(new ClientUnusable(`${what} printed something unexpected`));
      }
    });
  });
}
