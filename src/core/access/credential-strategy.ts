import { DiscoveryService } from '@nestjs/core';

import type { GatehouseRequest } from '../http/index.js';
import type { CallerKind } from './caller.js';

/** How one kind of credential is recognised in a request and looked up in the database. */
export interface CredentialStrategy {
  /** Unique, in lower case with underscores. */
  readonly name: string;
  /** What the credential makes its holder. */
  readonly kind: CallerKind;

  /** The SHA-256 of the credential that the request carries; null where it carries none of this kind. */
  hashIn(request: GatehouseRequest): Buffer | null;

  /**
   * SQL that selects a `CredentialRow` for each good credential of `sent`, a relation with the columns `hash`,
   * `workspace`, `environment` and `place`. One statement resolves everything, and runs once per request.
   */
  select(sent: string): string;

  /**
   * When the credential expired, of a request that was refused. null: it did not, was revoked, or nobody knows it. Asked only
   * of what fails, which the limit for the address bounds.
   */
  expiredAt?(hash: Buffer): Promise<Date | null>;

  /** Writes down when and from where credentials were last used: addresses by the credentials' ids. */
  recordUse?(addresses: ReadonlyMap<string, string>): Promise<void>;
}

/**
 * An extension point: marks a provider that recognises credentials. All are found when the application starts; a request
 * belongs to the first that recognises it.
 *
 * @example
 * \@RecognisesCredentials()
 * export class ApiKeyStrategy implements CredentialStrategy { … }
 */
export const RecognisesCredentials = DiscoveryService.createDecorator();
