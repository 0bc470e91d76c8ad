import type { ApprovalPolicy } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import type { JsonSchema } from '../../libs/json-schema/index.js';
import type { ScriptStatus } from './script.status.js';
import type { SecretUse } from './versions/secret-uses.js';

/** Who wants to run what: the published version, or a named one as a test. */
export interface RunnableQuery {
  workspaceId: string;
  slug: string;
  /** null: the published one. */
  version: number | null;
  role: Role;
  /** null for an API key. */
  userId: string | null;
}

interface ScriptFacts {
  scriptId: string;
  slug: string;
  name: string;
  status: ScriptStatus;
  approvalPolicy: ApprovalPolicy;
  ownerUserId: string | null;
  /** The workspace's setting. */
  publishNeedsSecondPerson: boolean;
}

export interface VersionFacts {
  versionId: string;
  versionNumber: number;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema | null;
  command: string;
  timeoutSeconds: number;
  /** Where the archive is in the `BlobStore`. */
  archiveKey: string;
  /** Of the archive as uploaded, in hex. */
  archiveSha256: string;
  hosts: string[];
  secrets: Record<string, SecretUse>;
  env: string[];
  /** When it was last published; null: never. */
  publishedAt: Date | null;
}

/** A script with the version to run; `versionId: null` where nothing is published or there is no such version. */
export type RunnableScript = ScriptFacts & (VersionFacts | { versionId: null; versionNumber: null });
