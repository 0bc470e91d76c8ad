import { Injectable } from '@nestjs/common';

/** How far this process is between start and stop. */
@Injectable()
export class Lifecycle {
  private readonly hurry = new AbortController();
  private readonly stop = new AbortController();

  /** Set once everything that a first start makes is there; `/health/ready` waits for it. */
  ready = false;

  /** Whether the process is on its way out: it still responds, but wants no new requests. */
  draining = false;

  /** The order of `core/work`: the first stage ends what runs, which requests may wait for. */
  enter(stage: 'taking' | 'sending' | 'holding'): void {
    this.draining = true;
    if (stage !== 'taking') this.stop.abort();
  }

  /** Aborted once running scripts are done with: what has no end of its own, such as a stream, ends then. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** Aborted when the operator does not want to wait for running scripts any longer. */
  get hurried(): AbortSignal {
    return this.hurry.signal;
  }

  stopWaiting(): void {
    this.hurry.abort();
  }
}
