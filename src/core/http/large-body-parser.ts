import { Injectable } from '@nestjs/common';

import { RawJson } from '../json/index.js';
import { Threads, ThreadsBusy, WorkTooHeavy } from '../threads/index.js';
import { InvalidRequest, Unavailable } from '../errors/index.js';
import type { LargeBody } from './large-body.thread.js';

const LIMIT_MS = 5_000;
const PATIENCE_MS = 10_000;
const MOST_WAITING = 32;
/** A field stays a text where it is longer and has more values: an object of so many holds up the event loop. */
const MOST_CHARACTERS = 128 * 1024;
const MOST_VALUES = 5_000;

/** Reads bodies that would hold up the event loop. */
@Injectable()
export class LargeBodyParser {
  constructor(private readonly threads: Threads) {}

  /** The fields of a body; a large field is a `RawJson`. */
  async read(body: Buffer, owner: string): Promise<Record<string, unknown>> {
    const read = await this.inThread(body, owner);
    if ('problem' in read) throw new InvalidRequest(read.problem.message, read.problem.details);
    return Object.fromEntries(
      read.fields.map(({ name, json, values }) => [
        name,
        json.length > MOST_CHARACTERS && values > MOST_VALUES
          ? new RawJson(json)
          : (JSON.parse(json) as unknown),
      ]),
    );
  }

  private async inThread(body: Buffer, owner: string): Promise<LargeBody> {
    try {
      return await this.threads.run<LargeBody>({
        module: new URL('./large-body.thread.js', import.meta.url),
        name: 'readLargeBody',
        input: body,
        bytes: body.length,
        owner,
        limitMs: LIMIT_MS,
        patienceMs: PATIENCE_MS,
        mostWaiting: MOST_WAITING,
      });
    } catch (error) {
      if (error instanceof WorkTooHeavy)
        throw new InvalidRequest('The body takes too long to read; send less.');
      if (error instanceof ThreadsBusy) {
        throw new Unavailable('Too many large requests are waiting to be read. Try again shortly.', 2);
      }
      throw error;
    }
  }
}
