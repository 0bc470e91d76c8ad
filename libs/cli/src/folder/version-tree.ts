import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import type { Gatehouse, ScriptDetail, ScriptVersion } from '@gatehouse/client';
import { stringify } from 'yaml';

import { inspectArchive, refuseRepositories, unpackArchive } from '../../../archive/index.js';
import { DEFINITION_FILE } from './definition.js';
import { STATE_FOLDER } from './folder-base.js';
import { type Tree, treeOf } from './folder-tree.js';

/**
 * The files of a version, in a folder that is there while `work` goes on. A version that was made elsewhere than by the command
 * line gets a `gatehouse.yaml` with what it is.
 *
 * @param asSent leaves that out
 * @throws Error where it would make a Git repository of the folder
 */
export async function withVersion<T>(
  gatehouse: Gatehouse,
  script: ScriptDetail,
  version: ScriptVersion,
  work: (tree: Tree) => Promise<T>,
  { asSent = false } = {},
): Promise<T> {
  const response = await gatehouse.versions.archive(script.slug, version.number);
  const archive = await inspectArchive(Buffer.from(await response.arrayBuffer()));
  refuseRepositories(archive);
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-version-'));
  try {
    const folder = join(directory, 'folder');
    await unpackArchive(archive, folder);
    // A link of this name may lead anywhere in the folder.
    if (!asSent && !archive.files.some(({ path }) => path === DEFINITION_FILE)) {
      await writeFile(join(folder, DEFINITION_FILE), stringify(definitionOf(script, version)), {
        flag: 'wx',
      });
    }
    return await work(await treeOf(folder, await pathsIn(folder)));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What the command line keeps for itself is no part of a version, whoever put it there. */
async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path.split('/')[0]!.toLowerCase() !== STATE_FOLDER)
    .sort();
}

function definitionOf({ slug, name, description }: ScriptDetail, version: ScriptVersion): object {
  const {
    command,
    build,
    hosts,
    hostRules,
    secrets,
    env,
    timeoutSeconds,
    resources,
    runsOn,
    retry,
    idempotent,
    concurrency,
    debounce,
    labels,
    warm,
    handler,
    keep,
    inputSchema,
    outputSchema,
  } = version;
  return {
    slug,
    name,
    ...(description !== '' && { description }),
    command,
    ...(build !== null && { build }),
    timeout: timeoutSeconds,
    ...(resources !== null && { resources }),
    ...(runsOn.length > 0 && { runsOn }),
    ...(retry !== null && { retry }),
    ...(idempotent && { idempotent }),
    ...(concurrency !== null && { concurrency }),
    ...(debounce !== null && { debounce }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(!warm && { warm }),
    ...(handler && { handler }),
    ...(keep !== null && { keep }),
    ...(hosts.length > 0 && { hosts: hosts.flatMap((host) => withRules(host, hostRules)) }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(env.length > 0 && { env }),
    inputSchema,
    ...(outputSchema !== null && { outputSchema }),
  };
}

/** A host stands there once for each of its rules, which are alternatives. */
function withRules(host: string, hostRules: ScriptVersion['hostRules']): (string | object)[] {
  const rules = hostRules.filter((rule) => rule.host === host);
  return rules.length === 0 ? [host] : rules;
}
