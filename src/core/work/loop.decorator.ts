import { SetMetadata } from '@nestjs/common';

import type { DrainStage } from './drain-order.js';

const LOOP = 'gatehouse:loop';

/** What a pass is told. */
export interface Pass {
  /** Somebody said that there is work, rather than the clock that it is time to look. */
  woken: boolean;
  /** Aborted when the process stops: a pass that takes long ends early. */
  stopping: AbortSignal;
}

/**
 * When the next pass is: at once where it is `true`; after so many milliseconds, and no later than `every`; otherwise with the
 * clock, or when somebody wakes the loop.
 */
export type NextPass = boolean | number | void;

/** A method that is a loop's pass. It takes what there is to do, does it, and says when to come again. */
type PassMethod = (pass: Pass) => Promise<NextPass>;

/** When a loop passes, and when it does not. */
export interface LoopOptions<T = unknown> {
  /** Milliseconds between two looks of the clock. What a lost wake delays work by, at most. */
  every: number;
  /** The topic that `Waker.wake` names. */
  wake?: string;
  /**
   * Least milliseconds from the beginning of a pass to that of one that was woken (debounce): each takes more where
   * there is much to do. The first wake after a pause is never kept waiting. By default 0.
   */
  apart?: number;
  /** Whether the first pass is made when the application has started, or after `every`. By default it is. */
  atStart?: boolean;
  /** Whether there is room for more work here. Without it, no pass is made, and wakes go to other processes. */
  hasRoom?: (self: T) => boolean;
  /** What it takes fills the disk: no pass is made while that is nearly full. By default it does not. */
  needsDisk?: boolean;
  /**
   * Whether it begins what is done beyond this service, or starts runs. A copy that was restored and not told to go on yet
   * makes no such pass. By default it does not.
   */
  reachesOut?: boolean;
  /** Resolves once what passes have begun is over, for whoever asked for a pass; without it, a pass ends what it begins. */
  settled?: (self: T) => Promise<void>;
  /** When the loop ends while the process stops. By default with `sending`. */
  stage?: DrainStage;
}

/**
 * Makes a method a loop: a pass at a time, by the clock and when it is woken, until the process stops. A pass that throws is
 * logged and made again, later each time; it never ends the loop. Every process with the provider has the loop, so a pass
 * takes its work in a way that many can at once: `FOR UPDATE SKIP LOCKED`, a lease, or an advisory lock.
 *
 * @example
 * @Loop({ every: 1_000, wake: MAILS })
 * async send(): Promise<boolean> {
 *   const mails = await this.mails.claim(BATCH);
 *   await Promise.all(mails.map((mail) => this.deliver(mail)));
 *   return mails.length === BATCH; // more may wait
 * }
 */
export function Loop<T>(options: LoopOptions<T>) {
  return <M extends PassMethod>(target: T, key: string, descriptor: TypedPropertyDescriptor<M>): void => {
    SetMetadata(LOOP, options)(target as object, key, descriptor);
  };
}

export function loopOptionsOf(method: object): LoopOptions | undefined {
  return Reflect.getMetadata(LOOP, method) as LoopOptions | undefined;
}
