import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Gatehouse, ScriptDetail, ScriptVersion } from '@gatehouse/client';
import { stringify } from 'yaml';

import { inspectArchive, refuseRepositories, unpackArchive } from '../../../archive/index.js';
import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { green, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { DEFINITION_FILE } from './definition.js';
import { obeyedFiles } from './obeyed-files.js';

/** The published version's folder, or the newest one's where none is published, in an empty folder of this machine. */
export default async function pull({
  args,
  options,
  gatehouse,
}: Context<{ version?: string }>): Promise<void> {
  const client = await gatehouse();
  const [slug = '', folder = slug] = args;
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new WrongUse(`${folder} is not empty.`, `Name another: gatehouse pull ${slug} FOLDER`);
  }
  const script = await client.scripts.get(slug);
  const version = await wantedVersion(client, script, options.version);
  const response = await client.versions.archive(slug, version.number);
  const archive = await inspectArchive(Buffer.from(await response.arrayBuffer()));
  refuseRepositories(archive);
  await unpackArchive(archive, folder);
  // A link of this name may lead anywhere in the folder.
  if (!archive.files.some(({ path }) => path === DEFINITION_FILE)) {
    await writeFile(join(folder, DEFINITION_FILE), stringify(definitionOf(script, version)), { flag: 'wx' });
  }
  say(`${green('✓')} Version ${version.number} of ${slug} is in ${folder}.`);
  const obeyed = obeyedFiles(archive.files.map(({ path }) => path));
  if (obeyed.length > 0) {
    say(
      `${yellow('careful:')} shells, editors and other programs may execute what these say. Read them first:`,
    );
    for (const path of obeyed) say(`  ${path}`);
  }
}

async function wantedVersion(
  gatehouse: Gatehouse,
  { slug, publishedVersion }: ScriptDetail,
  wanted: string | undefined,
): Promise<ScriptVersion> {
  const number = wanted === undefined ? publishedVersion : Number(wanted);
  if (number !== null) return gatehouse.versions.get(slug, number);
  const newest = (await gatehouse.versions.list(slug, { limit: 1 })).items[0];
  if (newest) return newest;
  throw new WrongUse(`${slug} has no version yet.`);
}

/** Of a version that was made elsewhere than by the command line. */
function definitionOf({ slug, name, description }: ScriptDetail, version: ScriptVersion): object {
  const { command, build, hosts, hostRules, secrets, env, timeoutSeconds, inputSchema, outputSchema } =
    version;
  const rules = new Map(hostRules.map((rule) => [rule.host, rule]));
  return {
    slug,
    name,
    ...(description !== '' && { description }),
    command,
    ...(build !== null && { build }),
    timeout: timeoutSeconds,
    ...(hosts.length > 0 && { hosts: hosts.map((host) => rules.get(host) ?? host) }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(env.length > 0 && { env }),
    inputSchema,
    ...(outputSchema !== null && { outputSchema }),
  };
}
