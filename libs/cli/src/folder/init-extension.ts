import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { WrongUse } from '../failure/command-failure.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { extensionTemplate } from './extension-template.js';

/** Of the command line, which is that of the packages; set where it is built. */
declare const VERSION: string;

/** As Gatehouse has it: what an extension adds is called after it. */
const NAME = /^(?=.{1,30}$)[a-z]+(-[a-z]+)*$/;

/**
 * A folder with an extension of Gatehouse, and its test. Only into a folder that is empty, or new.
 *
 * @param url the service, from which Gatehouse's packages are installed
 */
export async function initExtension(name: string, url: string, folder = `gatehouse-${name}`): Promise<void> {
  if (!NAME.test(name)) {
    throw new WrongUse(
      `"${name}" is no name of an extension.`,
      'A name has up to 30 letters from a to z, with - between words',
    );
  }
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new WrongUse(`${folder} is there already, and not empty.`);
  }
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(extensionTemplate(name, VERSION, url))) {
    await writeFile(join(folder, file), text, { flag: 'wx' });
    say(`${green('+')} ${join(folder, file)}`);
  }
  say(`Try it: cd ${folder} && npm install && npm test`);
}
