import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Gatehouse, ScriptDetail, ScriptVersion } from '@gatehouse/client';

import type { Context } from '../context.js';
import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { green, red, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { openConflicts } from './conflicts.js';
import { DEFINITION_FILE, readDefinition } from './definition.js';
import { readBase, writeBase } from './folder-base.js';
import { sayChanges, type Tree } from './folder-tree.js';
import { treeOfFolder } from './folder-version.js';
import { carryOut, type MergePlan, planMerge } from './merge-trees.js';
import { obeyedFiles } from './obeyed-files.js';
import { packFolder } from './pack-folder.js';
import { wantedVersion } from './wanted-version.js';
import { withVersion } from './version-tree.js';

/**
 * The newest version's folder, or a named one's. Where the folder has one already, its changes stay, and those of the version come to
 * them.
 */
export default async function pull({
  args,
  options,
  gatehouse,
}: Context<{ version?: string }>): Promise<number> {
  const { slug, folder } = await placeOf(args);
  const client = await gatehouse();
  const script = await client.scripts.get(slug);
  const version = await wantedVersion(client, script, options.version);
  await mkdir(folder, { recursive: true });
  return withVersion(client, script, version, (theirs) => takeIn(client, script, version, folder, theirs));
}

/** The script and its folder here: without a script's name, the one of this folder. */
async function placeOf([slug, folder = slug]: string[]): Promise<{ slug: string; folder: string }> {
  if (slug === undefined || folder === undefined)
    return { slug: (await readDefinition('.')).slug, folder: '.' };
  const isEmpty = !existsSync(folder) || (await readdir(folder)).length === 0;
  if (isEmpty) return { slug, folder };
  const advice = `Name another: gatehouse pull ${slug} FOLDER`;
  if (!existsSync(join(folder, DEFINITION_FILE))) throw new WrongUse(`${folder} is not empty.`, advice);
  const there = (await readDefinition(folder)).slug;
  if (there !== slug) throw new WrongUse(`${folder} is the folder of ${there}.`, advice);
  return { slug, folder };
}

async function takeIn(
  gatehouse: Gatehouse,
  script: ScriptDetail,
  version: ScriptVersion,
  folder: string,
  theirs: Tree,
): Promise<number> {
  const mine = existsSync(join(folder, DEFINITION_FILE))
    ? await treeOfFolder(folder, await readDefinition(folder))
    : { folder, digests: new Map<string, string>() };
  const known = await readBase(folder, script);
  const open = await openConflicts(folder, known?.conflicts ?? []);
  if (open.length > 0) {
    throw new CommandFailure(`These are not brought together yet: ${open.join(', ')}.`, 'Do that first.');
  }
  const name = `version ${version.number}`;
  const base = known?.version ?? (await versionOfSameBytes(gatehouse, script, mine));
  const plan =
    base === null
      ? await planMerge({ mine, base: null, theirs, name })
      : await withVersion(gatehouse, script, await gatehouse.versions.get(script.slug, base), (tree) =>
          planMerge({ mine, base: tree, theirs, name }),
        );
  await carryOut(plan, folder);
  const conflicts = plan.conflicts.map(({ path }) => path);
  await writeBase(folder, script, { version: version.number, digests: theirs.digests, conflicts });
  return report(
    plan,
    mine,
    `Version ${version.number} of ${script.slug} is in ${folder === '.' ? 'this folder' : folder}.`,
  );
}

/** A folder that was cloned says nothing; where it is the same as a version, that is what it is based on. */
async function versionOfSameBytes(
  gatehouse: Gatehouse,
  { slug }: ScriptDetail,
  { folder, digests }: Tree,
): Promise<number | null> {
  if (digests.size === 0) return null;
  const { sha256 } = await packFolder(folder, [...digests.keys()]);
  const { items } = await gatehouse.versions.list(slug, { limit: 100 });
  return items.find(({ archiveSha256 }) => archiveSha256 === sha256)?.number ?? null;
}

function report({ writes, conflicts }: MergePlan, mine: Tree, words: string): number {
  const written = writes.filter(({ entry }) => entry !== null).map(({ path }) => path);
  if (mine.digests.size > 0) {
    sayChanges({
      added: written.filter((path) => !mine.digests.has(path)),
      changed: written.filter((path) => mine.digests.has(path)),
      removed: writes.filter(({ entry }) => entry === null).map(({ path }) => path),
    });
  }
  for (const { path, words: how } of conflicts) say(`${red('conflict:')} ${path}: ${how}`);
  say(conflicts.length === 0 ? `${green('✓')} ${words}` : words);
  const obeyed = obeyedFiles(written);
  if (obeyed.length > 0) {
    say(
      `${yellow('careful:')} shells, editors and other programs may execute what these say. Read them first:`,
    );
    for (const path of obeyed) say(`  ${path}`);
  }
  if (conflicts.length === 0) return EXIT.done;
  say('Bring together what is marked, take the .theirs files away, and push.');
  return EXIT.failed;
}
