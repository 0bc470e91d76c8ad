import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { safePaths } from './safe-paths.js';

/** All that a run has written, in a folder that has nothing else in it: by default one that is called like the run. */
export default async function downloadFiles({ args, gatehouse }: Context): Promise<void> {
  const [id = '', folder = id] = args;
  const client = await gatehouse();
  const { files = [] } = await client.runs.get(id);
  const written = files.filter(({ direction }) => direction === 'out');
  if (written.length === 0) throw new WrongUse('That run has written no files.');
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new WrongUse(`${folder} is not empty.`, `Name another: gatehouse runs download ${id} FOLDER`);
  }
  const paths = safePaths(written.map(({ name }) => name));
  for (const [place, { id: file }] of written.entries()) {
    const path = join(folder, paths[place]!);
    await mkdir(dirname(path), { recursive: true });
    await client.files.save(file, path);
    say(`${green('+')} ${path}`);
  }
}
