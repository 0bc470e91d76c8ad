import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { settingsChange } from '../scripts/script-settings.js';
import { bold, green, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { openConflicts } from './conflicts.js';
import { DEFINITION_FILE, readDefinition } from './definition.js';
import { writeBase } from './folder-base.js';
import { sayChanges } from './folder-tree.js';
import {
  compareFolder,
  type FolderState,
  unknownVersions,
  versionInWords,
  versionOf,
} from './folder-version.js';
import { matchHooks, matchSchedules, matchTriggers } from './match-automations.js';

interface PushOptions {
  message?: string;
  publish?: true;
  dryRun?: true;
  force?: true;
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

async function pushFolder(gatehouse: Gatehouse, folder: string, options: PushOptions): Promise<number> {
  const definition = await readDefinition(folder);
  const { slug } = definition;
  say(bold(slug));
  const state = await compareFolder(gatehouse, folder, definition);
  sayChanges(state.changes);
  await refuseOpenConflicts(folder, state);
  await sayOvertaken(gatehouse, state, options);
  if (options.dryRun) {
    const { words } = state.script
      ? await settingsChange(gatehouse, state.script, definition.settings)
      : { words: [] };
    for (const change of words) say(`This would be changed: ${change}`);
    say(
      state.isUnchanged
        ? `Nothing has changed since version ${state.latest!.number}.`
        : 'This would be a new version.',
    );
    return EXIT.done;
  }
  const { script, version } = await versionOf(gatehouse, state, options.message);
  const { number } = version;
  await writeBase(folder, script, { version: number, digests: state.tree.digests, conflicts: [] });
  say(
    state.isUnchanged
      ? `Nothing has changed since version ${number}.`
      : `${green('✓')} Version ${number} is made.`,
  );
  if (state.isUnchanged && options.message !== undefined) {
    say(`${yellow('not used:')} the message. It goes with a new version, and none is made.`);
  }
  let isPublished = version.published;
  if (options.publish && !isPublished) {
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
    if (definition.hooks) await matchHooks(gatehouse, slug, definition.hooks);
  }
  return EXIT.done;
}

async function refuseOpenConflicts(folder: string, { base }: FolderState): Promise<void> {
  const open = await openConflicts(folder, base?.conflicts ?? []);
  if (open.length === 0) return;
  throw new CommandFailure(
    `These still have what was pulled beside what was here: ${open.join(', ')}.`,
    'Bring it together, take the marks and the .theirs files away, and push again.',
  );
}

/**
 * A version that the folder does not know is not overtaken: who made it would find their work gone from what runs. With `--force`
 * it is, and said.
 */
async function sayOvertaken(gatehouse: Gatehouse, state: FolderState, options: PushOptions): Promise<void> {
  if (state.isUnchanged) return;
  const unknown = await unknownVersions(gatehouse, state);
  if (unknown.length === 0) return;
  const { base } = state;
  const based = base
    ? `This folder is based on version ${base.version}`
    : 'This folder does not say on which version it is based';
  if (options.force) {
    say(`${yellow('--force:')} ${based}. What these have and it has not is lost from the newest version:`);
    for (const version of unknown) say(`  ${versionInWords(version)}`);
    return;
  }
  const words = `${based}, and ${versionInWords(unknown[0]!)} is the newest.`;
  if (options.dryRun) return say(`${yellow('careful:')} ${words} A push would be refused.`);
  throw new CommandFailure(
    words,
    'Take it in: gatehouse pull. Or let yours be the newest without it: gatehouse push --force',
  );
}
