import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { bold, green, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { DEFINITION_FILE, readDefinition } from './definition.js';
import { compareFolder, versionOf } from './folder-version.js';
import { matchSchedules, matchTriggers } from './match-automations.js';

interface PushOptions {
  publish?: true;
  dryRun?: true;
}

export default async function push({ args, options, gatehouse }: Context<PushOptions>): Promise<number> {
  const client = await gatehouse();
  let worst: number = EXIT.done;
  for (const folder of await foldersOf(args)) {
    worst = Math.max(worst, await pushFolder(client, folder, options));
  }
  return worst;
}

/** Those that are named; else this one, or each below it that is a script's. */
async function foldersOf(named: readonly string[]): Promise<readonly string[]> {
  if (named.length > 0) return named;
  if (existsSync(DEFINITION_FILE)) return ['.'];
  const entries = await readdir('.', { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const scripts = folders.filter((name) => existsSync(join(name, DEFINITION_FILE)));
  if (scripts.length > 0) return scripts.sort();
  throw new WrongUse(`There is no ${DEFINITION_FILE} here.`, 'Make one: gatehouse init');
}

async function pushFolder(
  gatehouse: Gatehouse,
  folder: string,
  { publish, dryRun }: PushOptions,
): Promise<number> {
  const definition = await readDefinition(folder);
  const { slug } = definition;
  say(bold(slug));
  const state = await compareFolder(gatehouse, folder, definition);
  if (dryRun) {
    say(
      state.isUnchanged
        ? `Nothing has changed since version ${state.latest!.number}.`
        : 'This would be a new version.',
    );
    return EXIT.done;
  }
  const version = await versionOf(gatehouse, state);
  const { number } = version;
  say(
    state.isUnchanged
      ? `Nothing has changed since version ${number}.`
      : `${green('✓')} Version ${number} is made.`,
  );
  let isPublished = version.published;
  if (publish && !isPublished) {
    const result = await gatehouse.scripts.publish(slug, number, {
      expectedVersion: state.script?.publishedVersion ?? 0,
    });
    if ('approval' in result) {
      say(`${yellow('held:')} a second person has to agree at ${result.approval.approveUrl}`);
      return EXIT.held;
    }
    isPublished = true;
    say(`${green('✓')} Version ${number} is published.`);
  } else if (!isPublished) {
    say(`It is not published yet: gatehouse push --publish`);
  }
  if (isPublished) {
    if (definition.schedules) await matchSchedules(gatehouse, slug, definition.schedules);
    if (definition.triggers) await matchTriggers(gatehouse, slug, definition.triggers);
  }
  return EXIT.done;
}
