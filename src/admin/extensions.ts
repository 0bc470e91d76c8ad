import { DataSource } from 'typeorm';

import type { Settings } from '../core/config/index.js';
import {
  alone,
  ConnectionOptions,
  extensionDiff,
  type ExtensionDiff,
  revertExtension,
  withinSeconds,
} from '../core/database/index.js';
import { type LoadedExtension, loadExtensions, wordOf } from '../core/extensions/index.js';
import { InstanceEntry } from '../core/work/index.js';
import { withApplication, withDatabase } from './application.js';
import { CommandRefused } from './command-refused.js';

/** A line for each: name, version, and where it is from. */
export async function listExtensions(settings: Settings): Promise<string> {
  const extensions = await load(settings);
  if (extensions.length === 0) return 'There are no extensions: GATEHOUSE_EXTENSIONS names none.';
  return extensions
    .map(({ name, version, reference }) => `${name} ${version ?? 'without a version'} (${reference})`)
    .join('\n');
}

/** Undoes all that an extension's migrations have done. */
export async function removeExtension(settings: Settings, name: string): Promise<string> {
  const extension = await loaded(settings, name, 'It is needed to undo its migrations.');
  return withApplication(settings, { alongside: true }, async (app) => {
    const source = app.get(DataSource);
    let count = 0;
    await alone(source, async () => {
      if (await source.manager.existsBy(InstanceEntry, { seenAt: withinSeconds(60) })) {
        throw new CommandRefused(
          'This takes a stopped instance: a process that uses the database was seen within the last minute.',
        );
      }
      count = await revertExtension(source, extension);
    });
    const undone = `${count} ${count === 1 ? 'migration' : 'migrations'} of ${name} ${count === 1 ? 'is' : 'are'} undone.`;
    return `${undone}\nTake ${extension.reference} out of GATEHOUSE_EXTENSIONS before the next start, or that carries them out again.`;
  });
}

/** A migration, in TypeScript, that brings the tables of an extension to where its entities are. Changes nothing. */
export async function diffExtension(settings: Settings, name: string): Promise<string> {
  const extension = await loaded(settings, name, 'Its entities are compared with the tables.');
  return withDatabase(settings, { alongside: true }, async (url) => {
    const diff = await extensionDiff(new ConnectionOptions(url, 2), extension);
    if (diff.up.length === 0) return `// The tables have all that the entities of ${name} have.`;
    return migrationText(wordOf(name), diff);
  });
}

function migrationText(word: string, { up, down }: ExtensionDiff): string {
  const words = word.split('_').map((each) => `${each[0]!.toUpperCase()}${each.slice(1)}`);
  return `import type { QueryRunner } from 'typeorm';

/** Made of the entities. Read it: nothing here knows what the data mean, nor how many rows there are. */
export class Change${words.join('')}${Date.now()} {
  async up(runner: QueryRunner): Promise<void> {
${statements(up)}
  }

  async down(runner: QueryRunner): Promise<void> {
${statements(down)}
  }
}`;
}

function statements(queries: readonly string[]): string {
  return queries
    .map((query) => `    await runner.query(\`${query.replace(/[\\`]|\$\{/g, '\\$&')}\`);`)
    .join('\n');
}

/** @param why it is needed */
async function loaded(settings: Settings, name: string, why: string): Promise<LoadedExtension> {
  const extension = (await load(settings)).find((one) => one.name === name);
  if (!extension) throw new CommandRefused(`GATEHOUSE_EXTENSIONS has no extension "${name}". ${why}`);
  return extension;
}

function load(settings: Settings): Promise<LoadedExtension[]> {
  return loadExtensions(settings, process.env);
}
