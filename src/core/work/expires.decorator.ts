import { SetMetadata } from '@nestjs/common';

import type { RetentionKind } from '../config/index.js';

const EXPIRES = 'gatehouse:expires';

export interface ExpiryOptions {
  /** Milliseconds for which something is kept, or the kind for which the operator says it. Left out where the rows, or a plan, say it themselves. */
  after?: number | RetentionKind;
  /** How many rows a statement deletes at most, so that it locks nobody out. By default 500. */
  batch?: number;
}

/** What a statement is given that deletes what is too old. */
export interface Expired {
  /** Milliseconds: what is older by the database's clock goes. 0 where the options do not say it. */
  age: number;
  /** The same by this process's clock, by which ids are made. */
  before: Date;
  /** How many to delete at most. */
  most: number;
}

/** Returns how many rows were deleted: where they are as many as `most`, it is called again. */
type ExpiryMethod = (expired: Expired) => Promise<number>;

/**
 * Has a method called once a minute that deletes what has expired, by one process at a time. It is called again until
 * nothing is left, each time in a transaction of its own. Rows that somebody has locked are to be left for the next
 * round.
 *
 * @example
 * @Expires({ after: 30 * DAY_MS })
 * async deleteOld({ age, most }: Expired): Promise<number> {
 *   return (await this.database.execute(DELETE_OLD, [age, most])).count;
 * }
 */
export function Expires(options: ExpiryOptions = {}) {
  return <M extends ExpiryMethod>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    SetMetadata(EXPIRES, options)(target, key, descriptor);
  };
}

/** The options of a method that deletes what has expired, or undefined for any other. */
export function expiryOptionsOf(method: object): ExpiryOptions | undefined {
  return Reflect.getMetadata(EXPIRES, method) as ExpiryOptions | undefined;
}
