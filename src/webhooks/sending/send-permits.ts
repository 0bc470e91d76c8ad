import { FairSemaphore } from '../../core/semaphore/index.js';

/** Attempts of one process that may be in progress at a time. */
const MOST_AT_ONCE = 400;
/** Where only one owner has any, so many of four are for it: whoever comes next finds some. */
const QUARTERS_ALONE = 3;

/** Who makes attempts: the drain of an endpoint. */
export interface PermitUser {
  /** Whom its workspace counts for. */
  readonly owner: string;
  /** How many attempts it has in progress. */
  readonly inFlight: number;
}

interface PermitOwner {
  users: number;
  inFlight: number;
}

/**
 * Shares out the attempts in progress: between owners, and an owner's between its users. Half of them are only for
 * those below their share, so that receivers which keep connections busy always leave some for the others. Nobody gets
 * more than twice its share, so that connections last instead of being made and dropped in turns.
 */
export class SendPermits {
  private readonly owners = new Map<string, PermitOwner>();
  private readonly semaphore: FairSemaphore<PermitUser>;

  constructor(private readonly total = MOST_AT_ONCE) {
    this.semaphore = new FairSemaphore({ permits: total, admit: (user) => this.admit(user) });
  }

  join({ owner }: PermitUser): void {
    const known = this.owners.get(owner);
    if (known) known.users += 1;
    else this.owners.set(owner, { users: 1, inFlight: 0 });
  }

  /** Once it has released all permits. */
  leave({ owner }: PermitUser): void {
    const known = this.owners.get(owner)!;
    known.users -= 1;
    if (known.users === 0) this.owners.delete(owner);
  }

  usersOf(owner: string): number {
    return this.owners.get(owner)?.users ?? 0;
  }

  /** Resolves when there is a permit for it. One at a time: what it has in flight counts. */
  acquire(user: PermitUser): Promise<void> {
    return this.semaphore.acquire(user);
  }

  release({ owner }: PermitUser): void {
    this.owners.get(owner)!.inFlight -= 1;
    this.semaphore.release();
  }

  private admit(user: PermitUser): boolean {
    const owner = this.owners.get(user.owner)!;
    const isWithinShare = this.isWithinShare(user, owner);
    if (isWithinShare) owner.inFlight += 1;
    return isWithinShare;
  }

  private isWithinShare({ inFlight }: PermitUser, owner: PermitOwner): boolean {
    const half = this.total / 2;
    const times = this.semaphore.free > half ? 2 : 1;
    const ofOwner = Math.max(1, Math.floor(half / this.owners.size));
    const ofUser = Math.max(1, Math.floor(ofOwner / owner.users));
    const alone = Math.floor((this.total * QUARTERS_ALONE) / 4);
    return inFlight < times * ofUser && owner.inFlight < (this.owners.size === 1 ? alone : times * ofOwner);
  }
}
