import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import { isDatabaseAway } from '../../core/database/index.js';
import { untilWritten, type Work } from '../../core/work/index.js';
import { MOST_CLAIMS } from '../build.status.js';
import type { BuildClaimsRepository, BuildEnd } from './build-claims.repository.js';
import type { BuildExecution } from './build-execution.js';

/** Before a build that failed through no fault of its own is begun anew. */
const PAUSE_MS = 1_000;

/** One claimed build: carried out, and its end written. */
export class BuildWork implements Work {
  private readonly logger = new Logger('Builds');
  private stopping = false;

  constructor(
    private readonly execution: BuildExecution,
    private readonly claims: BuildClaimsRepository,
  ) {}

  async carryOut(): Promise<void> {
    const { build } = this.execution;
    let end: BuildEnd | null;
    try {
      end = await this.execution.execute();
    } catch (error) {
      this.logger.error(String(error), { buildId: build.id });
      end = build.claim < MOST_CLAIMS ? null : { status: 'failed', log: '', error: null };
      await sleep(PAUSE_MS);
    }
    // Given back also where it is another's by now, which changes nothing.
    await untilWritten(
      () => (end ? this.claims.finish(build, end) : this.claims.release(build)),
      (error) => {
        this.logger.warn(`The end of a build could not be written: ${String(error)}`);
        return !this.stopping && isDatabaseAway(error);
      },
    );
  }

  lost(): void {
    this.execution.stop();
  }

  /** The process stops. */
  giveBack(): void {
    this.stopping = true;
    this.execution.stop();
  }
}
