import {
  type ResourcesInput,
  type ScriptDetail,
  type ScriptVersion,
  scriptsDetail,
  versionsArchive,
  versionsFind,
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
 * A version, or else what is published now, or the newest version where nothing is, as a draft of the next one; without files
 * where the script has no version yet.
 */
export async function loadedDraft(slug: string, version?: number): Promise<LoadedDraft> {
  const { data: script } = await scriptsDetail({ path: { slug } });
  const number = version ?? script.publishedVersion ?? script.lastVersion;
  if (number > 0) return draftOfVersion(script, number);
  const { name, description } = script;
  return { draft: { ...newDraft([]), name, slug, description, exists: true }, leftOut: [] };
}

/** A version as a draft of the next one. */
export async function draftOfVersion(script: ScriptDetail, number: number): Promise<LoadedDraft> {
  const { slug, name, description, publishedVersion } = script;
  const path = { slug, number };
  const [{ data: version }, { data: archive }] = await Promise.all([
    versionsFind({ path }),
    versionsArchive({ path, parseAs: 'blob' }),
  ]);
  const { files, leftOut } = await filesOfArchive(new Uint8Array(await (archive as Blob).arrayBuffer()));
  const readme = (publishedVersion === number && script.readme) || '';
  const draft = {
    ...newDraft(files, settingsOf(version, readme)),
    name,
    slug,
    description,
    exists: true,
    base: { version: number, published: publishedVersion ?? 0, readme },
  };
  const settings = versionSettings(draft.settings);
  // As long as nothing is changed, this version is the one that is tested and published.
  const made =
    leftOut.length === 0 && !Array.isArray(settings)
      ? { number, fingerprint: fingerprintOf(draft.files, settings), inputSchema: version.inputSchema }
      : null;
  return { draft: { ...draft, made }, leftOut };
}

/** Only what is a number: all the processors that there are is nothing that can be typed. */
function resourcesOf({ resources }: ScriptVersion): ResourcesInput {
  if (resources === null) return {};
  const { cpus, ...others } = resources;
  return cpus === null ? others : resources;
}

function settingsOf(version: ScriptVersion, readme: string): Partial<DraftSettings> {
  return {
    command: version.command,
    build: version.build ?? '',
    timeout: version.timeoutSeconds,
    resources: resourcesOf(version),
    runsOn: version.runsOn,
    retry: version.retry ? JSON.stringify(version.retry, null, 2) : '',
    idempotent: version.idempotent,
    concurrency: version.concurrency ? JSON.stringify(version.concurrency, null, 2) : '',
    debounce: version.debounce ? JSON.stringify(version.debounce, null, 2) : '',
    labels: Object.keys(version.labels).length > 0 ? JSON.stringify(version.labels, null, 2) : '',
    warm: version.warm,
    handler: version.handler,
    keep: version.keep ? JSON.stringify(version.keep, null, 2) : '',
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
    readme,
  };
}
