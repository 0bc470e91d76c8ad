import {
  type ScriptVersion,
  scriptsDetail,
  versionsArchive,
  versionsFind,
  versionsList,
} from '@gatehouse/client/operations';

import { filesOfArchive } from './archive.js';
import { type Draft, type DraftSettings, newDraft } from './draft.js';
import { fingerprintOf } from './fingerprint.js';
import { versionSettings } from './version-body.js';

export interface LoadedDraft {
  draft: Draft;
  leftOut: string[];
}

/**
 * What is published now, or the newest version where nothing is, as a draft of the next one; without files where the
 * script has no version yet.
 */
export async function loadedDraft(slug: string): Promise<LoadedDraft> {
  const { data: script } = await scriptsDetail({ path: { slug } });
  const { name, description } = script;
  const number = script.publishedVersion ?? (await newest(slug));
  if (number === null)
    return { draft: { ...newDraft([]), name, slug, description, exists: true }, leftOut: [] };
  const path = { slug, number };
  const [{ data: version }, { data: archive }] = await Promise.all([
    versionsFind({ path }),
    versionsArchive({ path, parseAs: 'blob' }),
  ]);
  const { files, leftOut } = await filesOfArchive(new Uint8Array(await (archive as Blob).arrayBuffer()));
  const readme = script.publishedVersion === number ? script.readme : null;
  const draft = {
    ...newDraft(files, settingsOf(version, readme)),
    name,
    slug,
    description,
    exists: true,
  };
  const settings = versionSettings(draft.settings);
  // As long as nothing is changed, this version is the one that is tested and published.
  const made =
    leftOut.length === 0 && !Array.isArray(settings)
      ? { number, fingerprint: fingerprintOf(draft.files, settings), inputSchema: version.inputSchema }
      : null;
  return { draft: { ...draft, made }, leftOut };
}

async function newest(slug: string): Promise<number | null> {
  const { data } = await versionsList({ path: { slug }, query: { limit: 1 } });
  return data.items[0]?.number ?? null;
}

export function settingsOf(version: ScriptVersion, readme: string | null): Partial<DraftSettings> {
  return {
    command: version.command,
    build: version.build ?? '',
    timeout: version.timeoutSeconds,
    hosts: version.hosts,
    hostRules: version.hostRules,
    env: version.env,
    secrets: Object.entries(version.secrets).map(([name, { hosts, header, value }]) => ({
      name,
      hosts,
      header,
      value,
    })),
    inputSchema: JSON.stringify(version.inputSchema, null, 2),
    outputSchema: version.outputSchema ? JSON.stringify(version.outputSchema, null, 2) : '',
    readme: readme ?? '',
  };
}
