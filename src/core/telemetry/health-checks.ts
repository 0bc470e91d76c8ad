import { Injectable, Logger } from '@nestjs/common';

import { ProblemError } from '../http/errors.js';

/** Resolves with a word or two on how it is; rejects when it is not usable. Never put a secret into either. */
export type HealthCheck = () => Promise<string>;

export interface CheckResult {
  ok: boolean;
  detail: string;
}

interface Registered {
  check: HealthCheck;
  timeoutMs: number;
}

/** Answers are kept this long, so that asking often costs nothing. */
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
  private report: Promise<Record<string, CheckResult>> | null = null;
  private reportedAt = 0;

  register(name: string, check: HealthCheck, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}): void {
    this.checks.set(name, { check, timeoutMs });
  }

  /** Each check's result by name; at most a second old. */
  results(): Promise<Record<string, CheckResult>> {
    if (!this.report || performance.now() - this.reportedAt > KEPT_MS) {
      this.reportedAt = Infinity;
      this.report = this.run().finally(() => (this.reportedAt = performance.now()));
    }
    return this.report;
  }

  private async run(): Promise<Record<string, CheckResult>> {
    const results = [...this.checks].map(
      async ([name, registered]) => [name, await this.judge(name, registered)] as const,
    );
    return Object.fromEntries(await Promise.all(results));
  }

  private async judge(name: string, { check, timeoutMs }: Registered): Promise<CheckResult> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(new TooSlow(timeoutMs)), timeoutMs);
    });
    try {
      const detail = await Promise.race([check(), late]);
      if (this.failing.delete(name)) this.logger.warn(`${name} works again`);
      return { ok: true, detail };
    } catch (error) {
      if (!this.failing.has(name)) this.logger.warn(`${name}: ${String(error)}`);
      this.failing.add(name);
      // Only errors made for clients are told in their own words: others may name hosts and users.
      return { ok: false, detail: isForClients(error) ? error.message : 'does not work; the log says why' };
    } finally {
      clearTimeout(timer);
    }
  }
}

class TooSlow extends Error {
  constructor(timeoutMs: number) {
    super(`gave no answer within ${timeoutMs / 1000} s`);
  }
}

function isForClients(error: unknown): error is Error {
  return error instanceof TooSlow || error instanceof ProblemError;
}
