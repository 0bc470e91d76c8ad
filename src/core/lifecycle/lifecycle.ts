import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** How far this process is between start and stop. */
@Injectable()
export class Lifecycle implements BeforeApplicationShutdown {
  private readonly hurry = new AbortController();
  private readonly stop = new AbortController();

  /** Set once everything that a first start makes is there; `/health/ready` waits for it. */
  ready = false;

  /** Aborted once running scripts are done with: what has no end of its own, such as a stream, ends then. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  beforeApplicationShutdown(): void {
    this.stop.abort();
  }

  /** Aborted when the operator does not want to wait for running scripts any longer. */
  get hurried(): AbortSignal {
    return this.hurry.signal;
  }

  stopWaiting(): void {
    this.hurry.abort();
  }
}
