import { spawn } from 'node:child_process';

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };

/** Opens an address in the person's browser, if there is one. Never through a shell: the address comes from a server. */
export async function openInBrowser(address: string): Promise<boolean> {
  if (!/^https?:$/.test(new URL(address).protocol)) return false;
  const program = process.env['BROWSER'] || PROGRAMS[process.platform];
  if (program === undefined) return false;
  return new Promise((done) => {
    const child = spawn(program, [address], { stdio: 'ignore', detached: true });
    child.once('error', () => done(false));
    child.once('spawn', () => {
      child.unref();
      done(true);
    });
  });
}
