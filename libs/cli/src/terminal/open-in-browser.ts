import { spawn } from 'node:child_process';

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };

/**
 * Opens a page of the service in the person's browser, if there is one. Never through a shell, and no other address: what a
 * response names may be anything that a program of this machine opens.
 *
 * @param base where the service is
 */
export async function openInBrowser(address: string, base: string): Promise<boolean> {
  if (!isPageOf(address, base)) return false;
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

function isPageOf(address: string, base: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, origin, username } = new URL(address);
  return /^https?:$/.test(protocol) && origin === new URL(base).origin && username === '';
}
