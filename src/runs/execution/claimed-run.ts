import type { SecretUse } from '../../secrets/index.js';

/** A run that this worker has taken, with all that is needed to carry it out. */
export interface ClaimedRun {
  id: string;
  /** Counts how often the run was taken; later writes name it, so that a worker that lost it writes nothing. */
  claim: number;
  /** Needed no preparation, so that taking it was beginning it. */
  begun: boolean;
  workspaceId: string;
  environmentId: string;
  environmentName: string;
  scriptSlug: string;
  version: number;
  command: string;
  timeoutSeconds: number;
  archiveKey: string;
  archiveSha256: string;
  /** Where its installed dependencies are stored; null: it has none. */
  depsKey: string | null;
  /** They take the place of the archive rather than being laid over it. */
  depsWhole: boolean;
  outputSchema: Record<string, unknown> | null;
  inputSchema: Record<string, unknown>;
  hosts: string[];
  secrets: Record<string, SecretUse>;
  env: string[];
  /** As JSON text. */
  inputs: string;
  /** What it was to run in was deleted meanwhile. */
  gone: 'workspace' | 'environment' | null;
  hasFiles: boolean;
}

/** A claim, by which a worker shows that a run is still its own. */
export interface Claim {
  id: string;
  claim: number;
}
