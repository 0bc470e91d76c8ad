import { SetMetadata } from '@nestjs/common';

import { DEFAULT_STAGE, type DrainStage } from './drain-order.js';

const DRAIN = 'gatehouse:drain';

/**
 * Calls a method when the process stops, once the loops of the stage have made their last pass: it finishes what they began.
 * The next stage waits for it. An error is logged, and does not keep the process from ending.
 *
 * @example
 * @Drain('taking')
 * async finish(): Promise<void> {
 *   await Promise.all(this.underWay);
 * }
 */
export function Drain(stage: DrainStage = DEFAULT_STAGE) {
  return (target: object, key: string, descriptor: TypedPropertyDescriptor<() => Promise<void>>): void => {
    SetMetadata(DRAIN, stage)(target, key, descriptor);
  };
}

/** The stage of a method that is to be called then, or undefined for any other. */
export function drainStageOf(method: object): DrainStage | undefined {
  return Reflect.getMetadata(DRAIN, method) as DrainStage | undefined;
}
