import {
  ConflictError,
  type Gatehouse,
  NotFoundError,
  type ScriptDetail,
  type ScriptVersion,
} from '@gatehouse/client';

import { CommandFailure } from '../failure/command-failure.js';
import { settingsChange } from '../scripts/script-settings.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import type { Definition } from './definition.js';
import { type FolderBase, readBase } from './folder-base.js';
import { folderFiles } from './folder-files.js';
import { type Changes, changesOf, isNothing, type Tree, treeOf } from './folder-tree.js';
import { packFolder } from './pack-folder.js';
import { withVersion } from './version-tree.js';

/** A script's folder as it stands, and what the service has of it. */
export interface FolderState {
  definition: Definition;
  tree: Tree;
  archive: Buffer;
  script: ScriptDetail | null;
  latest: ScriptVersion | null;
  /** What the folder is based on, as far as it says. */
  base: FolderBase | null;
  /** What is another than in the newest version. */
  changes: Changes;
  /** Whether the newest version was made of these very files, `gatehouse.yaml` among them. */
  isUnchanged: boolean;
}

const NO_CHANGES: Changes = { added: [], changed: [], removed: [] };

export async function scriptOf(gatehouse: Gatehouse, slug: string): Promise<ScriptDetail | null> {
  return gatehouse.scripts.get(slug).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
}

/** The files that a version of the folder would have. */
export async function treeOfFolder(folder: string, { ignore }: Definition): Promise<Tree> {
  return treeOf(folder, await folderFiles(folder, ignore));
}

/** Looks at the folder and at the newest version. */
export async function compareFolder(
  gatehouse: Gatehouse,
  folder: string,
  definition: Definition,
): Promise<FolderState> {
  const { slug } = definition;
  const paths = await folderFiles(folder, definition.ignore);
  const { bytes: archive, sha256 } = await packFolder(folder, paths);
  const tree = await treeOf(folder, paths);
  const script = await scriptOf(gatehouse, slug);
  const latest = script?.lastVersion ? await gatehouse.versions.get(slug, script.lastVersion) : null;
  const base = await readBase(folder, script);
  const state = { definition, tree, archive, script, latest, base };
  if (latest?.archiveSha256 === sha256) return { ...state, changes: NO_CHANGES, isUnchanged: true };
  const before = latest ? await filesOf(gatehouse, script!, latest) : new Map<string, string>();
  const changes = changesOf(before, tree.digests);
  // Another zlib packs the same files into other bytes.
  return { ...state, changes, isUnchanged: latest !== null && isNothing(changes) };
}

/** Those of its archive: a `gatehouse.yaml` that is written for whoever pulls it is none of them. */
async function filesOf(gatehouse: Gatehouse, script: ScriptDetail, version: ScriptVersion) {
  return withVersion(gatehouse, script, version, async ({ digests }) => digests, { asSent: true });
}

/** What was made since the version that the folder is based on, newest first. */
export async function unknownVersions(
  gatehouse: Gatehouse,
  { definition, latest, base }: FolderState,
): Promise<ScriptVersion[]> {
  const known = base?.version ?? 0;
  if (latest === null || latest.number <= known) return [];
  const versions: ScriptVersion[] = [];
  for await (const version of gatehouse.versions.list(definition.slug)) {
    if (version.number <= known || versions.length === MOST_NAMED) break;
    versions.push(version);
  }
  return versions;
}

const MOST_NAMED = 20;

/** A version for a person: its number, who made it, and when. */
export function versionInWords({ number, createdBy, createdVia, createdAt, message }: ScriptVersion): string {
  const author = createdBy?.name ?? 'an API key';
  return `version ${number} by ${author} (${createdVia}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC)${message ? `: ${message.split('\n', 1)[0]}` : ''}`;
}

/**
 * The version of the folder: the newest where nothing has changed, otherwise a new one of a script that is made if need be. It is
 * refused where somebody else has made one since the folder was compared.
 */
export async function versionOf(
  gatehouse: Gatehouse,
  state: FolderState,
  message?: string,
): Promise<{ script: Pick<ScriptDetail, 'id'>; version: ScriptVersion }> {
  const { definition, archive, latest, isUnchanged } = state;
  const { slug } = definition;
  const script = await matchingScript(gatehouse, state);
  if (isUnchanged) return { script, version: latest! };
  const expectedVersion = latest?.number ?? 0;
  const said = message === undefined ? {} : { message };
  const input = { ...definition.version, ...said, archive, via: 'cli', expectedVersion } as const;
  try {
    return { script, version: await gatehouse.versions.create(slug, input) };
  } catch (error) {
    if (!(error instanceof ConflictError) || error.details[0]?.path !== 'expectedVersion') throw error;
    throw new CommandFailure(error.message, 'Take it in: gatehouse pull. Then push again.');
  }
}

/** The script, with the settings of the folder. What changes is said. */
async function matchingScript(
  gatehouse: Gatehouse,
  { definition, script }: FolderState,
): Promise<ScriptDetail> {
  const { slug, settings } = definition;
  const { name, description } = settings;
  const made =
    script ??
    (await gatehouse.scripts.create({ slug, name, ...(description !== undefined && { description }) }));
  const { patch, words } = await settingsChange(gatehouse, made, settings);
  if (words.length === 0) return made;
  const changed = await gatehouse.scripts.update(slug, { ...patch, expectedVersion: made.revision });
  for (const change of words) say(`${green('✓')} ${change}`);
  return changed;
}
