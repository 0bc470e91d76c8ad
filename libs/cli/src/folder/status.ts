import type { Context } from '../context.js';
import { wantsJson } from '../output/fields.js';
import { printAsJson } from '../output/print.js';
import { bold, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { openConflicts } from './conflicts.js';
import { readDefinition } from './definition.js';
import { changesOf, isNothing, sayChanges } from './folder-tree.js';
import { compareFolder, versionInWords } from './folder-version.js';

/** What the folder is based on, what has changed in it since, and what is newer on the service. */
export default async function status({ args, options, gatehouse }: Context): Promise<void> {
  const [folder = '.'] = args;
  const definition = await readDefinition(folder);
  const state = await compareFolder(await gatehouse(), folder, definition);
  const { base, script, latest, tree } = state;
  const changes = base ? changesOf(base.digests, tree.digests) : state.changes;
  const conflicts = await openConflicts(folder, base?.conflicts ?? []);
  if (wantsJson(options)) {
    const { slug } = definition;
    const [publishedVersion, newest] = [script?.publishedVersion ?? null, latest?.number ?? null];
    const all = { slug, baseVersion: base?.version ?? null, newestVersion: newest, publishedVersion };
    return printAsJson({ ...all, changes, conflicts }, options);
  }
  say(bold(definition.slug));
  say(base ? `Based on version ${base.version}.` : 'It does not say on which version it is based.');
  if (latest === null) say('There is no version yet.');
  else {
    const published = latest.published ? ', which is published' : '';
    say(`The newest is ${versionInWords(latest)}${published}.`);
    if (!latest.published && script!.publishedVersion !== null)
      say(`Version ${script!.publishedVersion} is published.`);
    if (base && latest.number > base.version && !state.isUnchanged)
      say(`${yellow('behind:')} gatehouse pull`);
  }
  sayChanges(changes);
  if (isNothing(changes)) say(`Nothing has changed here${base ? ` since version ${base.version}` : ''}.`);
  for (const path of conflicts) say(`${yellow('conflict:')} ${path}`);
}
