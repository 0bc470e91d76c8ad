import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { urlOf } from '../settings/settings.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { DEFINITION_FILE } from './definition.js';
import { initExtension } from './init-extension.js';
import { TEMPLATES } from './templates.js';

interface Options {
  template: string;
  /** The name of an extension to begin, in place of a script. */
  extension?: string;
}

/** A folder that can be pushed: from a template, nothing of what is there is written over. */
export default async function init({ args, options }: Context<Options>): Promise<void> {
  if (options.extension !== undefined) return initExtension(options.extension, await urlOf(options), args[0]);
  const folder = args[0] ?? '.';
  const slug = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const template = Object.hasOwn(TEMPLATES, options.template) ? TEMPLATES[options.template]! : null;
  if (!template) {
    throw new WrongUse(
      `There is no template "${options.template}".`,
      `There are: ${Object.keys(TEMPLATES).join(', ')}`,
    );
  }
  if (existsSync(join(folder, DEFINITION_FILE)))
    throw new WrongUse(`${join(folder, DEFINITION_FILE)} is there already.`);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(template(slug || 'script'))) {
    if (name !== DEFINITION_FILE && existsSync(join(folder, name))) continue;
    await writeFile(join(folder, name), text, { flag: 'wx' });
    say(`${green('+')} ${join(folder, name)}`);
  }
  say('Try it: gatehouse test --name Ada. Then: gatehouse push --publish');
}
