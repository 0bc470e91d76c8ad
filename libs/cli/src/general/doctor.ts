import { stat } from 'node:fs/promises';

import type { Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { EXIT } from '../failure/exit-codes.js';
import { profilesFile } from '../settings/profiles.js';
import { credentialVariable } from '../settings/settings.js';
import { green, red, yellow } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';

/** What a check found; it throws where something is wrong. */
type Check = (gatehouse: Gatehouse) => Promise<string>;

const MOST_CLOCK_DIFFERENCE_S = 60;

/** Looks at one thing after the other, and says of each what to do. A later one may need what an earlier one found. */
export default async function doctor({ settings, gatehouse }: Context): Promise<number> {
  let inOrder = true;
  const report = (mark: string, name: string, text: string): void =>
    console.log(`${mark} ${name}: ${plainText(text)}`);
  const { url, workspace, environment, givenToken } = await settings();
  const client = (await gatehouse()).with({ retries: 0, timeoutMs: 10_000 });
  const checks: [name: string, check: Check, advice: string][] = [
    ['profile', () => profile(givenToken !== null), `Run: chmod 600 ${profilesFile()}`],
    [
      'service',
      (asked) => reach(asked, url),
      'Is the address right? Change it: gatehouse login --url ADDRESS',
    ],
    ['version', version, 'Is this Gatehouse?'],
    ['clock', clock, 'Set the clock of this machine: signatures of webhooks and tokens depend on it.'],
    ['sign-in', signIn, 'Run: gatehouse login'],
    [
      'workspace',
      async (asked) => (await asked.workspace.get()).name,
      `Choose another: gatehouse use WORKSPACE`,
    ],
    [
      'environment',
      async (asked) =>
        environment === null ? 'the default one' : (await asked.environments.get(environment)).name,
      'Choose another: gatehouse use --env ENVIRONMENT',
    ],
    [
      'scripts',
      canRead,
      `Sign in again with more scopes: gatehouse login --workspace ${workspace ?? 'WORKSPACE'}`,
    ],
  ];
  for (const [name, check, advice] of checks) {
    try {
      report(green('✓', process.stdout), name, await check(client));
    } catch (error) {
      inOrder = false;
      report(red('✗', process.stdout), name, (error as Error).message);
      console.log(`  ${yellow(advice, process.stdout)}`);
      // Without the service nothing else can be looked at.
      if (name === 'service') break;
    }
  }
  return inOrder ? EXIT.done : EXIT.failed;
}

/** It holds a token. */
async function profile(isTokenGiven: boolean): Promise<string> {
  if (isTokenGiven) return `none: ${credentialVariable()} is set`;
  const { mode } = await stat(profilesFile());
  if (mode & 0o077) throw new Error(`others may read ${profilesFile()}`);
  return profilesFile();
}

async function reach(gatehouse: Gatehouse, url: string): Promise<string> {
  await gatehouse.request({ method: 'GET', url: '/health/ready' });
  return `${url} is ready`;
}

async function version(gatehouse: Gatehouse): Promise<string> {
  const document = await gatehouse.request({ method: 'GET', url: '/v1/openapi.json' });
  return `interface ${((await document.json()) as { info: { version: string } }).info.version}`;
}

async function clock(gatehouse: Gatehouse): Promise<string> {
  const { headers } = await gatehouse.request({ method: 'GET', url: '/health/live' });
  const date = headers.get('date');
  if (date === null) return 'the service does not tell its time';
  const seconds = Math.round(Math.abs(Date.now() - Date.parse(date)) / 1000);
  if (seconds > MOST_CLOCK_DIFFERENCE_S) throw new Error(`${seconds} s away from the service's`);
  return 'as the service has it';
}

async function signIn(gatehouse: Gatehouse): Promise<string> {
  const me = await gatehouse.user.me().catch((error: Error & { status?: number }) => {
    // An API key is no person's.
    if (error.status === 403) return null;
    if (error.status === 404) throw new Error('the service has the tokens of persons switched off');
    throw error;
  });
  return me ? `${me.name} <${me.email}>` : 'an API key';
}

async function canRead(gatehouse: Gatehouse): Promise<string> {
  await gatehouse.scripts.list({ limit: 1 });
  return 'can be read';
}
