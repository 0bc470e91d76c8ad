import { AsyncResource } from 'node:async_hooks';

import { type Claimed, type Places, shareOf } from './fair-share.js';

/** How often in a row a claim is tried again because other workers were quicker. */
const MOST_MISSES = 5;

/** Milliseconds between two renewals of a lease, which is of 20 seconds. */
export const RENEW_EVERY_MS = 5_000;

/**
 * A row that a worker has taken, as every later write names it: the number counts how often the row was taken, so that a
 * worker that has lost it writes nothing.
 */
export interface Claim {
  id: string;
  claim: number;
  workspaceId: string;
}

/** A place that is kept for a row which is about to be written as taken. */
export interface ReservedPlace {
  /** Whose the places of this worker are: a workspace for each that is taken or kept, this one included. */
  here: string[];
  /** As in `Places`. */
  share: number;
}

/** Work in progress for a claim. */
export interface Work<Renewal = unknown> {
  /** Resolves once its end is written. What it throws is for the log. */
  carryOut(place: WorkPlace): Promise<void>;
  /** Another worker may have the row by now: end, and write nothing. */
  lost(): void;
  /** The lease goes on, and this is what the row says. */
  renewed?(renewal: Renewal): void;
}

/** The place at which a claim is carried out. */
export interface WorkPlace {
  /** Waits for something while others have the place, and then for a place, but not once `ended` is aborted. */
  whileAside(waiting: Promise<unknown>, ended: AbortSignal): Promise<void>;
}

export interface LeasedWorkOptions<C extends Claim, W> {
  /** How many claims may be in progress at once. */
  places: number;
  /** The part of the places that one workspace, and all of one owner, may have, of 1. */
  share: number;
  claim(places: Places): Promise<Claimed<C>>;
  begin(claim: C): W;
  /** A place has become free, and something may be waiting for it. */
  onRoom(): void;
  onError(claim: C, error: unknown): void;
}

/** What this worker has claimed: taken while there is room, its lease renewed until it is carried out. */
export class LeasedWork<C extends Claim, W extends Work<R>, R extends { id: string }> {
  private readonly active = new Map<W, { claim: C; ended: Promise<void> }>();
  /** Places that are kept, by the ids of the rows that are being written for them. */
  private readonly reserved = new Map<string, { workspaceId: string; over: PromiseWithResolvers<void> }>();
  /** Those in progress that have no place just now. At most as many as there are places: the others wait at theirs. */
  private readonly aside = new Set<W>();
  /** Of those, the ones that wait for a place and nothing else, and what lets them go on. */
  private readonly returning = new Set<() => void>();
  /** For how many free places a claim is in progress. */
  private claiming = 0;
  private misses = 0;
  /** The last claim may have left something waiting, or is in progress. Whatever comes later wakes us. */
  private leftSome = false;
  private closed = false;

  constructor(private readonly options: LeasedWorkOptions<C, W>) {}

  /** How many places are taken. */
  get size(): number {
    return this.active.size - this.aside.size;
  }

  get hasRoom(): boolean {
    return this.room > 0 && !this.closed;
  }

  private get room(): number {
    return this.options.places - this.size - this.reserved.size;
  }

  /**
   * One claim for the places that are free.
   *
   * @returns `again`: other workers were quicker, and what waits behind those rows may still be taken; `passedOver`:
   * something waits that a free place here is not for
   */
  async take(): Promise<{ again: boolean; passedOver: boolean }> {
    this.leftSome = true;
    const { room, share, kept } = this;
    this.claiming = room;
    const { items, missed, passedOver } = await this.options
      .claim({ room, share, kept })
      .finally(() => (this.claiming = 0));
    for (const claim of items) this.begin(claim);
    this.placeIsFree(false);
    this.misses = missed && this.misses + 1 < MOST_MISSES ? this.misses + 1 : 0;
    this.leftSome = missed || passedOver || items.length >= room;
    return { again: this.misses > 0, passedOver };
  }

  /**
   * Keeps a place for a row, before it is written as one that this worker has taken: `begin` follows, or `release`.
   *
   * @returns null: no place is free, or something may be waiting for it
   */
  reserve({ id, workspaceId }: Pick<Claim, 'id' | 'workspaceId'>): ReservedPlace | null {
    if (!this.hasRoom || this.leftSome) return null;
    this.reserved.set(id, { workspaceId, over: Promise.withResolvers() });
    const taken = [...this.active].flatMap(([work, { claim }]) => (this.aside.has(work) ? [] : claim));
    return {
      here: [...taken.map((whose) => whose.workspaceId), ...this.kept],
      share: this.share,
    };
  }

  /** Begins what was claimed, at the place that is kept for it if there is one. It is part of no request, also where one asks. */
  readonly begin = AsyncResource.bind((claim: C): void => {
    const work = this.options.begin(claim);
    const ended = work
      .carryOut({ whileAside: (waiting, over) => this.whileAside(work, waiting, over) })
      .catch((error: unknown) => this.options.onError(claim, error))
      .finally(() => {
        this.active.delete(work);
        this.placeIsFree(this.leftSome);
      });
    this.active.set(work, { claim, ended });
    this.unreserve(claim.id);
    this.leftSome ||= !this.hasRoom;
  });

  /** Gives the place that is kept for a row back, unless that has begun there. */
  release(id: string): void {
    if (this.unreserve(id)) this.placeIsFree(true);
  }

  /** @param renew renews the leases of those claims that are still ours, and says of each what its row says */
  async renew(renew: (claims: C[]) => Promise<R[]>): Promise<void> {
    if (this.active.size === 0) return;
    const held = [...this.active];
    const renewals = new Map((await renew(held.map(([, { claim }]) => claim))).map((row) => [row.id, row]));
    for (const [work, { claim }] of held) {
      const renewal = renewals.get(claim.id);
      if (renewal) work.renewed?.(renewal);
      // One that ended while the statement was in progress is not among them either.
      else if (this.active.has(work)) work.lost();
    }
  }

  /** What is in progress. */
  all(): W[] {
    return [...this.active.keys()];
  }

  /** Resolves once all has ended that is in progress now. */
  async settled(): Promise<void> {
    await Promise.all([...this.active.values()].map(({ ended }) => ended));
  }

  /** Takes nothing more. Resolves once all has begun that a place was kept for. */
  async takeNoMore(): Promise<void> {
    this.closed = true;
    await this.nothingReserved();
  }

  /** Takes nothing more. Resolves once all work in progress has ended. */
  async close(): Promise<void> {
    await this.takeNoMore();
    await this.settled();
  }

  private async whileAside(work: W, waiting: Promise<unknown>, ended: AbortSignal): Promise<void> {
    if (this.aside.size >= this.options.places) return void (await waiting);
    this.aside.add(work);
    this.placeIsFree(this.leftSome);
    try {
      await waiting;
      if (!this.hasRoomToReturn && !ended.aborted) await this.untilReturned(work, ended);
    } finally {
      this.aside.delete(work);
      this.leftSome ||= !this.hasRoom;
    }
  }

  private untilReturned(work: W, ended: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        this.returning.delete(goOn);
        this.aside.delete(work);
        ended.removeEventListener('abort', goOn);
        resolve();
      };
      this.returning.add(goOn);
      ended.addEventListener('abort', goOn);
    });
  }

  /** What is being claimed has its places already. */
  private get hasRoomToReturn(): boolean {
    return this.room > this.claiming;
  }

  private placeIsFree(somethingMayWait: boolean): void {
    for (const goOn of this.returning) if (this.hasRoomToReturn) goOn();
    if (somethingMayWait) this.options.onRoom();
  }

  private get share(): number {
    return shareOf(this.options.places, this.options.share);
  }

  private get kept(): string[] {
    return [...this.reserved.values()].map(({ workspaceId }) => workspaceId);
  }

  private async nothingReserved(): Promise<void> {
    await Promise.all([...this.reserved.values()].map(({ over }) => over.promise));
  }

  private unreserve(id: string): boolean {
    this.reserved.get(id)?.over.resolve();
    return this.reserved.delete(id);
  }
}
