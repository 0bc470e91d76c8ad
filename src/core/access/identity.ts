import type { WorkspaceFinding } from './access-rule.js';
import type { Caller } from './caller.js';
import type { CredentialStrategy } from './credential-strategy.js';

/** Who sends a request, with what was found of the workspace and environment that it names. */
export interface Identity {
  /** Which recognised the credential. */
  strategy: CredentialStrategy;
  /** The SHA-256 of the credential. */
  hash: Buffer;
  caller: Caller;
  finding: WorkspaceFinding;
}
