import { DataSource } from 'typeorm';

import type { Settings } from '../core/config/index.js';
import { alone, revertExtension, withinSeconds } from '../core/database/index.js';
import { type LoadedExtension, loadExtensions } from '../core/extensions/index.js';
import { InstanceEntry } from '../core/work/index.js';
import { withApplication } from './application.js';
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
  const extension = (await load(settings)).find((loaded) => loaded.name === name);
  if (!extension) {
    throw new CommandRefused(
      `GATEHOUSE_EXTENSIONS has no extension "${name}". It is needed to undo its migrations.`,
    );
  }
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

function load({ extensions }: Settings): Promise<LoadedExtension[]> {
  return loadExtensions(extensions, process.cwd(), process.env);
}
