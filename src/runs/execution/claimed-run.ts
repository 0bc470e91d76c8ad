import type { HostRule } from '../../../libs/egress/index.js';
import type { LogFields } from '../../core/logging/index.js';
import type { Keep, Labels, Resources, Retry } from '../../scripts/index.js';
import type { SecretUse } from '../../secrets/index.js';

/** A run that this worker has taken, with all that is needed to carry it out. */
export interface ClaimedRun {
  id: string;
  /** How often the run was taken. Every later write names it, so that a worker that has lost the run writes nothing. */
  claim: number;
  /** It needed no preparation, so the statement that took it has begun it as well. */
  begun: boolean;
  /** From the request for it until it was taken. null: it waited for something else as well, such as an approval. */
  waitedSeconds: number | null;
  /** The trace that it goes on with; null: none. */
  traceparent: string | null;
  workspaceId: string;
  environmentId: string;
  environmentName: string;
  scriptId: string;
  scriptSlug: string;
  version: number;
  /** Of its row: the version of each trial has the same number. */
  versionId: string;
  /** Whether an agent has started it, or what an agent has started. */
  byAgent: boolean;
  /** Counted from 1. */
  attempt: number;
  /** When it is tried again where it does not end well. null: never. */
  retry: Retry | null;
  /** The number of this attempt's first line of the log: those of earlier ones are before it. */
  firstLine: number;
  command: string;
  timeoutSeconds: number;
  /** What its box may use. null: the usual. */
  resources: Resources | null;
  /** The workspace's, which may allow less than when the run was asked for. */
  workspacePlan: string;
  /** It only reads, and what it would send is written down. */
  plan: boolean;
  /** Whether it may have an interpreter that was there before it. */
  warm: boolean;
  /** Its command names a file that exports a function, which is called. */
  handler: boolean;
  /** How long the process that calls it stays for further runs. null: it ends with its run. */
  keep: Keep | null;
  archiveKey: string;
  archiveSha256: string;
  /** Where its installed dependencies are stored. null: it has none. */
  depsKey: string | null;
  /** Whether what is stored there holds the version's own files as well, so that the archive is not needed. */
  depsWhole: boolean;
  outputSchema: Record<string, unknown> | null;
  inputSchema: Record<string, unknown>;
  hosts: string[];
  hostRules: HostRule[];
  secrets: Record<string, SecretUse>;
  env: string[];
  /** As JSON text. */
  inputs: string;
  /** Those that it has so far. */
  labels: Labels;
  /** What was deleted since the run was asked for, or whether its time to begin is over. null: nothing. */
  gone: 'workspace' | 'environment' | 'time' | null;
  hasFiles: boolean;
}

/** What the log says of a run besides words. */
export function logFieldsOf({ id, workspaceId }: ClaimedRun): LogFields {
  return { runId: id, workspaceId };
}

/** By this a worker shows that a run is still its own. */
export interface Claim {
  id: string;
  claim: number;
}
