import type { Script } from './script.entity.js';
import type { ScriptViewer } from './script-viewer.js';
import type { ScriptVersion } from './versions/script-version.entity.js';

/** Who wants to run what: the published version, or a named one, or a trial, as a test. */
export interface RunnableQuery extends ScriptViewer {
  slug: string;
  /** null: the published one. An id: this trial. */
  version: number | string | null;
}

interface ScriptFacts extends Pick<
  Script,
  'slug' | 'name' | 'status' | 'approvalPolicy' | 'ask' | 'ownerUserId' | 'queue'
> {
  scriptId: string;
  /** The workspace's setting. */
  publishNeedsSecondPerson: boolean;
  /** The workspace's. */
  plan: string;
}

type VersionColumns =
  | 'inputSchema'
  | 'outputSchema'
  | 'command'
  | 'timeoutSeconds'
  | 'resources'
  | 'retry'
  | 'idempotent'
  | 'concurrency'
  | 'debounce'
  | 'labels'
  | 'archiveKey'
  | 'archiveSha256'
  | 'hosts'
  | 'hostRules'
  | 'secrets'
  | 'env'
  | 'publishedAt';

export interface VersionFacts extends Pick<ScriptVersion, VersionColumns> {
  versionId: string;
  /** null: it is a trial. */
  versionNumber: number | null;
}

/** A script with the version to run; `versionId: null` where nothing is published or there is no such version. */
export type RunnableScript = ScriptFacts & (VersionFacts | { versionId: null; versionNumber: null });

/** What somebody is told of a published script that they may run. */
export interface ScriptOffer
  extends
    Pick<Script, 'slug' | 'name' | 'description' | 'approvalPolicy' | 'ask'>,
    Pick<ScriptVersion, 'inputSchema' | 'outputSchema' | 'timeoutSeconds' | 'hosts'> {
  /** Whether its code gets at secrets, attached to its requests or as environment variables. */
  usesSecrets: boolean;
}

/** As it is read: without a version all columns of one are null, which `versionId` tells. */
export type FoundRunnable = ScriptFacts & (VersionFacts | { versionId: null });
