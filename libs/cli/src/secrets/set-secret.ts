import type { SecretInput } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { green, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { typedOrPiped } from '../terminal/typed-or-piped.js';

interface SetOptions {
  kind?: SecretInput['kind'];
  source?: string;
  reference?: string;
  host?: string[];
  allowEnv?: boolean;
}

/** The value is typed or piped in, never an argument: those are in the shell's history and in every list of processes. */
export default async function setSecret({ args, options, gatehouse }: Context<SetOptions>): Promise<void> {
  const [name = ''] = args;
  const { host: hosts = [], allowEnv, kind } = options;
  if (hosts.length === 0 && !allowEnv) {
    throw new WrongUse(
      'Which hosts may it be sent to?',
      `Run: gatehouse secrets set ${name} --host api.example.com`,
    );
  }
  const elsewhere = placeElsewhere(options);
  const client = await gatehouse();
  const content = elsewhere ?? { value: await readValue(name) };
  const input = { ...content, hosts, ...(kind && { kind }), ...(allowEnv !== undefined && { allowEnv }) };
  const { warning } = await client.secrets.set(name, input);
  say(`${green('✓')} ${name} is set.`);
  if (warning) say(`${yellow('warning:')} ${warning}`);
}

/** Where the value is read from; null: it is given. */
function placeElsewhere({ source, reference }: SetOptions): { source: string; reference: string } | null {
  if (source === undefined && reference === undefined) return null;
  if (source === undefined)
    throw new WrongUse('Of which source is that the reference?', 'Add --source vault');
  if (reference === undefined) {
    throw new WrongUse(`Which value of ${source} is it?`, 'Add --reference payments/stripe#key');
  }
  return { source, reference };
}

async function readValue(name: string): Promise<string> {
  const value = await typedOrPiped(`Value of ${name}:`);
  if (value === '') throw new WrongUse('The value is empty.');
  return value;
}
