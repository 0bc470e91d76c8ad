import { lstatSync } from 'node:fs';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { writeBody } from '../output/write-body.js';
import { say } from '../terminal/say.js';
import { plainText } from '../terminal/plain-text.js';

export default async function getFile({
  args,
  options,
  gatehouse,
}: Context<{ output?: string }>): Promise<void> {
  const client = await gatehouse();
  const [id = ''] = args;
  if (options.output === '-') return writeBody(await client.files.content(id));
  const path = options.output ?? ownName(id, (await client.files.get(id)).name);
  await client.files.save(id, path);
  say(`Wrote ${path}.`);
}

/** The name is a script's word: only its last part counts, and nothing is written over because of it. */
function ownName(id: string, name: string): string {
  const last = plainText(name).split(/[\\/]/).at(-1) ?? '';
  const path = last === '' || last.startsWith('.') || last.startsWith('-') ? id : last;
  // Also where it is a link to nowhere.
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new WrongUse(`${path} is there already.`, `Say where to: gatehouse files get ${id} -o PATH`);
  return path;
}
