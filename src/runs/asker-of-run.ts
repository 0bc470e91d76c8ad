import { type Asker, systemAsker } from '../approvals/index.js';
import { SYSTEM } from '../audit/index.js';
import type { Run } from './run.entity.js';

const KINDS = { pat: 'personal_token', api_key: 'api_key', oauth: 'agent' } as const;

/** Who started a run, where people are asked about it later. */
export function askerOfRun({
  startedByUserId,
  credentialId,
  credentialType,
  interface: via,
}: Pick<Run, 'startedByUserId' | 'credentialId' | 'credentialType' | 'interface'>): Asker {
  if (credentialType !== null)
    return { userId: startedByUserId, credentialKind: KINDS[credentialType], credentialId, actor: SYSTEM };
  const asker = systemAsker(startedByUserId);
  return via === 'app' ? { ...asker, credentialKind: 'session' } : asker;
}
