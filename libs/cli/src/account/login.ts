import { Gatehouse, type UserMe } from '@gatehouse/client';

import type { Context } from '../context.js';
import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { addressOf } from '../settings/address.js';
import { type StoredToken, changeProfile, readProfile } from '../settings/profiles.js';
import { credentialVariable, profileNameOf } from '../settings/settings.js';
import { bold, green, yellow } from '../terminal/colours.js';
import { isInteractive, readStandardInput } from '../terminal/interactive.js';
import { say } from '../terminal/say.js';
import { signInByDevice } from './sign-in-by-device.js';

const USUAL_URL = 'http://localhost:3000';

interface LoginOptions {
  token?: true;
  scope?: string[];
  browser: boolean;
}

export default async function login({ options }: Context<LoginOptions>): Promise<void> {
  const name = profileNameOf(options);
  const url = addressOf(options.url ?? (process.env['GATEHOUSE_URL'] || (await askForUrl(name))));
  const token: StoredToken = options.token
    ? { kind: 'given', value: await askForToken() }
    : await signInByDevice(url, options);
  const { who, workspace } = await checked(
    url,
    token,
    options.workspace ?? (process.env['GATEHOUSE_WORKSPACE'] || undefined),
  );
  await changeProfile(name, () => ({ url, workspace, environment: options.env ?? null, token }));
  say(
    `${green('✓')} Signed in to ${url} as ${bold(who)}, in the workspace ${bold(workspace ?? 'of the key')}.`,
  );
  const variable = credentialVariable();
  if (variable !== null) {
    say(`${yellow('warning:')} ${variable} is set, and counts before this. Unset it to use the sign-in.`);
  }
}

async function askForUrl(name: string): Promise<string> {
  const known = (await readProfile(name))?.url;
  if (!isInteractive()) {
    if (known !== undefined) return known;
    throw new WrongUse('Where is Gatehouse?', 'Run: gatehouse login --url https://gatehouse.example.com');
  }
  const { input } = await import('@inquirer/prompts');
  const message = 'Where is Gatehouse?';
  return input({ message, default: known ?? USUAL_URL }, { output: process.stderr });
}

async function askForToken(): Promise<string> {
  if (!isInteractive()) return (await readStandardInput()).trim();
  const { password } = await import('@inquirer/prompts');
  return (await password({ message: 'Token:' }, { output: process.stderr })).trim();
}

/** Who the token is of, and where it can act. An API key has no person, and one workspace that need not be named. */
async function checked(
  url: string,
  token: StoredToken,
  wanted: string | undefined,
): Promise<{ who: string; workspace: string | null }> {
  const value = token.kind === 'given' ? token.value : token.access;
  if (!value) throw new WrongUse('No token was given.', 'Run: gatehouse login --token < file-with-the-token');
  const gatehouse = new Gatehouse({ baseUrl: url, token: value });
  if (value.startsWith('svc_sk_')) {
    const { name } = await gatehouse.workspace.get();
    return { who: `a key of ${name}`, workspace: null };
  }
  const me = await gatehouse.user.me();
  return { who: me.name, workspace: await chosenWorkspace(me, wanted) };
}

async function chosenWorkspace({ workspaces }: UserMe, wanted: string | undefined): Promise<string> {
  const slugs = workspaces.map(({ slug }) => slug);
  if (wanted !== undefined) {
    if (slugs.includes(wanted)) return wanted;
    throw new CommandFailure(
      `This sign-in cannot act in the workspace ${wanted}.`,
      `It can in: ${slugs.join(', ')}`,
      EXIT.notAllowed,
    );
  }
  if (slugs.length === 1) return slugs[0]!;
  if (slugs.length === 0) throw new CommandFailure('You are in no workspace.', null, EXIT.notAllowed);
  if (!isInteractive()) {
    throw new WrongUse('Which workspace?', `Add --workspace with one of: ${slugs.join(', ')}`);
  }
  const { select } = await import('@inquirer/prompts');
  const choices = workspaces.map(({ slug, name }) => ({ value: slug, name: `${name} (${slug})` }));
  return select({ message: 'In which workspace?', choices }, { output: process.stderr });
}
