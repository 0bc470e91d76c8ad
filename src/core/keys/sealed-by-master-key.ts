import { DiscoveryService } from '@nestjs/core';

import type { MasterKey } from '../crypto/index.js';

/** What a class marked with `@SealedByMasterKey()` looks like. */
export interface MasterKeyUse {
  /** Called in the transaction that changes the master key, while no process of the instance runs. */
  reseal(present: MasterKey, next: MasterKey): Promise<void>;
}

/**
 * An extension point: marks a provider whose table has a column that the master key seals. When the operator changes the
 * master key, each seals its rows again, or drops what may be lost. Such a provider belongs into `AdminModule` too.
 *
 * @example
 * \@SealedByMasterKey()
 * export class MailResealing implements MasterKeyUse {
 *   reseal(present: MasterKey, next: MasterKey): Promise<void> { … }
 * }
 */
export const SealedByMasterKey = DiscoveryService.createDecorator();
