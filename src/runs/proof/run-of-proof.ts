import { newId } from '../../core/crypto/index.js';
import { type Resources, USUAL_RESOURCES } from '../../scripts/index.js';
import type { SecretUse } from '../../secrets/index.js';
import type { ClaimedRun } from '../execution/claimed-run.js';

/** What an attack asks for, as a version does. */
export interface RunWishes {
  inputs?: Record<string, unknown>;
  resources?: Partial<Resources>;
  timeoutSeconds?: number;
  /** Goes into the command, where the machine's processes can be told by it. */
  marker?: string;
  hosts?: readonly string[];
  secrets?: Record<string, SecretUse>;
}

const USUAL_TIMEOUT_SECONDS = 45;

/** A run as a worker takes it, of a script that attacks. It is in no database. */
export function runOfProof({
  inputs = {},
  resources,
  timeoutSeconds = USUAL_TIMEOUT_SECONDS,
  marker,
  hosts = [],
  secrets = {},
}: RunWishes): ClaimedRun {
  return {
    id: newId('run'),
    claim: 1,
    begun: true,
    waitedSeconds: null,
    traceparent: null,
    workspaceId: newId('workspace'),
    environmentId: newId('environment'),
    environmentName: 'proof',
    scriptId: newId('script'),
    scriptSlug: 'proof',
    version: 1,
    versionId: newId('version'),
    byAgent: false,
    plan: false,
    attempt: 1,
    retry: null,
    firstLine: 1,
    command: ['python3 main.py', marker].filter(Boolean).join(' '),
    timeoutSeconds,
    resources: resources ? { ...USUAL_RESOURCES, ...resources } : null,
    workspacePlan: 'default',
    warm: true,
    handler: false,
    keep: null,
    archiveKey: '',
    archiveSha256: '',
    depsKey: null,
    depsWhole: false,
    outputSchema: null,
    inputSchema: {},
    hosts: [...hosts],
    hostRules: [],
    secrets,
    env: [],
    inputs: JSON.stringify(inputs),
    labels: {},
    gone: null,
    hasFiles: false,
  };
}
