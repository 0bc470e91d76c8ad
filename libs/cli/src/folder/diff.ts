import { createTwoFilesPatch } from 'diff';

import type { Context } from '../context.js';
import { green, isColoured, red } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';
import { readDefinition } from './definition.js';
import { readBase } from './folder-base.js';
import { changesOf, type Entry, readEntry, type Tree } from './folder-tree.js';
import { treeOfFolder } from './folder-version.js';
import { textOf } from './merge-text.js';
import { withVersion } from './version-tree.js';
import { wantedVersion } from './wanted-version.js';

/** What of the folder is another than in the version that it is based on, or a named one: as Git prints it. */
export default async function diff({
  args,
  options,
  gatehouse,
}: Context<{ version?: string }>): Promise<void> {
  const [folder = '.'] = args;
  const definition = await readDefinition(folder);
  const client = await gatehouse();
  const script = await client.scripts.get(definition.slug);
  const base = await readBase(folder, script);
  const version = await wantedVersion(client, script, options.version ?? base?.version.toString());
  const after = await treeOfFolder(folder, definition);
  await withVersion(client, script, version, async (before) => {
    const { added, changed, removed } = changesOf(before.digests, after.digests);
    for (const path of [...added, ...changed, ...removed].sort()) print(await patchOf(path, before, after));
  });
}

async function patchOf(path: string, before: Tree, after: Tree): Promise<string> {
  const [old, own] = await Promise.all([entryOf(before, path), entryOf(after, path)]);
  const names = [old ? `a/${path}` : '/dev/null', own ? `b/${path}` : '/dev/null'] as const;
  const kinds = old && own && old.kind !== own.kind ? `${path}: a ${old.kind} became a ${own.kind}\n` : '';
  const [text, ownText] = [old, own].map((entry) => (entry ? textOf(entry.content) : ''));
  if (typeof text !== 'string' || typeof ownText !== 'string') {
    return `${kinds}Binary files ${names.join(' and ')} differ\n`;
  }
  if (text === ownText) return kinds;
  const patch = createTwoFilesPatch(...names, text, ownText, '', '', { context: 3 });
  // Its first line is a bar of no meaning to `patch` and `git apply`.
  return kinds + patch.replace(/^=+\n/, '');
}

const entryOf = async ({ folder, digests }: Tree, path: string): Promise<Entry | null> =>
  digests.has(path) ? readEntry(folder, path) : null;

function print(patch: string): void {
  if (!process.stdout.isTTY) return void process.stdout.write(patch);
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const paint = isColoured(process.stdout) ? (PAINTS[line[0] ?? ''] ?? String) : String;
    console.log(paint(plainText(line), process.stdout));
  }
}

const PAINTS: Readonly<Record<string, (text: string, stream: unknown) => string>> = { '+': green, '-': red };
