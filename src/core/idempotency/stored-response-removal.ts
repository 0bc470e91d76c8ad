import { type MasterKeyUse, SealedByMasterKey } from '../keys/index.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/**
 * Drops stored responses when the master key changes. Their idempotency keys stay, so that no request is carried out a
 * second time. They could not be replayed anyway: the fingerprint of a request depends on the master key too.
 */
@SealedByMasterKey()
export class StoredResponseRemoval implements MasterKeyUse {
  constructor(private readonly keys: IdempotencyRepository) {}

  reseal(): Promise<void> {
    return this.keys.dropResponses();
  }
}
