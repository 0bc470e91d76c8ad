export { Batcher } from './batcher.js';
export { Bulkhead } from './bulkhead.js';
export { deleteFirst, deleteOldest } from './delete-oldest.js';
export type { DrainStage } from './drain-order.js';
export { Drain } from './drain.decorator.js';
export { type Expired, Expires } from './expires.decorator.js';
export { fairBatch, fairClaim, ownerOf, rowsBefore, takenAtOnce } from './fair-claim.sql.js';
export { type Claimed, claimedOf, type Places } from './fair-share.js';
export { HeldCopy } from './held-copy.js';
export { InstanceEntry } from './instance.entity.js';
export { InstanceHeartbeat } from './instance-heartbeat.js';
export { InstancesRepository } from './instances.repository.js';
export { LEASE, LEASE_IS_LOST } from './lease-clock.sql.js';
export { isCarried } from './live-workers.sql.js';
export { LeaseClock } from './lease-clock.js';
export {
  type Claim,
  LeasedWork,
  type LeasedWorkOptions,
  RENEW_EVERY_MS,
  type ReservedPlace,
  type Work,
  type WorkPlace,
} from './leased-work.js';
export { Loop, type LoopOptions, type NextPass, type Pass } from './loop.decorator.js';
export { Loops } from './loops.js';
export { MESSAGE_ATTEMPTS, secondsUntilRetry } from './message-retries.js';
export { untilWritten } from './until-written.js';
export type { WakeJob } from './wake-queues.js';
export { Waker, type Worker } from './waker.js';
export { Watch, Watches } from './watch.js';
export { WorkModule } from './work.module.js';
export { WorkspaceOwners } from './workspace-owners.js';
