import { Injectable, Logger, ServiceUnavailableException } from '@nestjs/common';
import {
  type HealthCheckResult,
  HealthCheckService,
  type HealthIndicatorResult,
  HealthIndicatorService,
} from '@nestjs/terminus';

import { ProblemError } from '../errors/index.js';
import { StorageError } from '../storage/index.js';
import { inTime } from '../time-limit/index.js';

/** Resolves with a word or two on how it is; rejects when it is not usable. Never put a secret into either. */
type HealthCheck = () => Promise<string>;

interface Registered {
  check: HealthCheck;
  timeoutMs: number;
}

/** Of each check by its name, whether it is `up` or `down`, and its `message`. */
type Indications = Record<string, { status: string; message: string }>;

/** Results are kept this long, so that asking often costs nothing. */
const KEPT_MS = 1_000;
const DEFAULT_TIMEOUT_MS = 1_000;

/**
 * What has to work for this process to take requests. A module adds its own part when it is initialised.
 *
 * @example
 * healthChecks.register('sandbox', async () => sandbox.limitsMode());
 */
@Injectable()
export class HealthChecks {
  private readonly logger = new Logger('Health');
  private readonly checks = new Map<string, Registered>();
  private readonly failing = new Set<string>();
  private report: Promise<Indications> | null = null;
  private reportedAt = 0;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  register(name: string, check: HealthCheck, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}): void {
    this.checks.set(name, { check, timeoutMs });
  }

  /** At most a second old. */
  results(): Promise<Indications> {
    if (!this.report || performance.now() - this.reportedAt > KEPT_MS) {
      this.reportedAt = Infinity;
      this.report = this.run().finally(() => (this.reportedAt = performance.now()));
    }
    return this.report;
  }

  private async run(): Promise<Indications> {
    const indicators = Array.from(
      this.checks,
      ([name, registered]) =>
        () =>
          this.indicate(name, registered),
    );
    try {
      return (await this.health.check(indicators)).details as Indications;
    } catch (error) {
      // How Terminus says that something is down; what we say of it is the controller's.
      if (!(error instanceof ServiceUnavailableException)) throw error;
      return (error.getResponse() as HealthCheckResult).details as Indications;
    }
  }

  private async indicate(name: string, { check, timeoutMs }: Registered): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    try {
      const message = await inTime({ ms: timeoutMs, late: () => new TooSlow(timeoutMs) }, check);
      if (this.failing.delete(name)) this.logger.warn(`${name} works again`);
      return indicator.up({ message });
    } catch (error) {
      if (!this.failing.has(name)) this.logger.warn(`${name}: ${String(error)}`);
      this.failing.add(name);
      // Only errors made for clients are told in their own words: others may name hosts and users.
      const message = isForClients(error) ? error.message : 'does not work; the log says why';
      return indicator.down({ message });
    }
  }
}

class TooSlow extends Error {
  constructor(timeoutMs: number) {
    super(`did not respond within ${timeoutMs / 1000} s`);
  }
}

function isForClients(error: unknown): error is Error {
  return error instanceof TooSlow || error instanceof ProblemError || error instanceof StorageError;
}
