import { type Gatehouse, NotFoundError, type ScriptDetail, type ScriptVersion } from '@gatehouse/client';

import { green, red, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import type { Definition } from './definition.js';
import { folderChanges } from './folder-changes.js';
import { folderFiles } from './folder-files.js';
import { packFolder } from './pack-folder.js';

/** A script's folder as it stands, and what the service has of it. */
interface FolderState {
  definition: Definition;
  archive: Buffer;
  script: ScriptDetail | null;
  latest: ScriptVersion | null;
  /** Whether the newest version was made of these very files, `gatehouse.yaml` among them. */
  isUnchanged: boolean;
}

/** Looks at both, and says what is different. */
export async function compareFolder(
  gatehouse: Gatehouse,
  folder: string,
  definition: Definition,
): Promise<FolderState> {
  const { slug } = definition;
  const paths = await folderFiles(folder, definition.ignore);
  const { bytes: archive, sha256 } = await packFolder(folder, paths);
  const script = await gatehouse.scripts.get(slug).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  const latest =
    script === null ? null : ((await gatehouse.versions.list(slug, { limit: 1 })).items[0] ?? null);
  if (latest?.archiveSha256 === sha256) return { definition, archive, script, latest, isUnchanged: true };
  const changes = await folderChanges(gatehouse, slug, latest?.number ?? null, folder, paths);
  const { added, changed, removed } = changes;
  for (const path of added) say(green(`+ ${path}`));
  for (const path of changed) say(yellow(`~ ${path}`));
  for (const path of removed) say(red(`- ${path}`));
  // Another zlib packs the same files into other bytes.
  const isUnchanged = latest !== null && added.length + changed.length + removed.length === 0;
  return { definition, archive, script, latest, isUnchanged };
}

/**
 * The version of the folder: the newest where nothing has changed, otherwise a new one of a script that is made if need be. It is
 * refused where somebody else has made one since the folder was compared.
 */
export async function versionOf(gatehouse: Gatehouse, state: FolderState): Promise<ScriptVersion> {
  const { definition, archive, script, latest, isUnchanged } = state;
  const { slug, name, description } = definition;
  if (script === null) {
    await gatehouse.scripts.create({ slug, name, ...(description !== undefined && { description }) });
  } else if (script.name !== name || (description !== undefined && script.description !== description)) {
    await gatehouse.scripts.update(slug, {
      name,
      ...(description !== undefined && { description }),
      expectedVersion: script.revision,
    });
  }
  if (isUnchanged) return latest!;
  const expectedVersion = latest?.number ?? 0;
  return gatehouse.versions.create(slug, { ...definition.version, archive, via: 'cli', expectedVersion });
}
