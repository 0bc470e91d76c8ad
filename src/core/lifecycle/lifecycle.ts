import { Injectable } from '@nestjs/common';

/** How far this process is between start and stop. */
@Injectable()
export class Lifecycle {
  private readonly hurry = new AbortController();

  /** Set once everything that a first start makes is there; `/health/ready` waits for it. */
  ready = false;

  /** Aborted when the operator does not want to wait for running scripts any longer. */
  get hurried(): AbortSignal {
    return this.hurry.signal;
  }

  stopWaiting(): void {
    this.hurry.abort();
  }
}
