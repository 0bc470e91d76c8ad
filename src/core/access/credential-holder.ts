import type { CredentialHolder } from '../rate-limit/index.js';
import type { Caller } from './caller.js';

/** Whose a credential is. One without a person, such as an API key, belongs to its workspace. */
export function holderOf(
  { person, credentialId }: Caller,
  workspaceId: string | undefined,
): CredentialHolder {
  if (person) return { kind: 'person', id: person.id };
  return { kind: 'workspace', id: workspaceId ?? credentialId };
}
