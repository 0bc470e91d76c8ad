import { existsSync } from 'node:fs';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { say } from '../terminal/interactive.js';
import { plainText } from '../terminal/plain-text.js';

export default async function getFile({
  args,
  options,
  gatehouse,
}: Context<{ output?: string }>): Promise<void> {
  const client = await gatehouse();
  const [id = ''] = args;
  if (options.output === '-') {
    for await (const chunk of (await client.files.content(id)).body ?? [])
      process.stdout.write(chunk as Uint8Array);
    return;
  }
  const path = options.output ?? (await ownName(id, (await client.files.get(id)).name));
  await client.files.save(id, path);
  say(`Wrote ${path}.`);
}

/** The name is a script's word: only its last part counts, and nothing is written over because of it. */
async function ownName(id: string, name: string): Promise<string> {
  const last = plainText(name).split(/[\\/]/).at(-1) ?? '';
  const path = last === '' || last.startsWith('.') ? `${id}` : last;
  if (existsSync(path))
    throw new WrongUse(`${path} is there already.`, `Say where to: gatehouse files get ${id} -o PATH`);
  return path;
}
