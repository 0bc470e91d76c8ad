import { Injectable } from '@nestjs/common';

import { Dialer, EgressError, EgressRefused } from '../../libs/egress/index.js';
import { Database } from '../core/database/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { hostOf, isNeverPublic, urlProblem } from './endpoint-url.js';

/**
 * Checks whether events may be sent to a URL when it is registered. Its name is resolved again, and the addresses are
 * checked again, whenever a connection is made.
 */
@Injectable()
export class EndpointUrlCheck {
  constructor(
    private readonly dialer: Dialer,
    private readonly database: Database,
  ) {}

  /**
   * Asks the DNS, so never within a transaction.
   *
   * @throws InvalidRequest at `url`
   */
  async check(url: string): Promise<void> {
    if (this.database.inTransaction) throw new Error('A URL is looked up before a transaction begins.');
    const problem = urlProblem(url) ?? (await this.hostProblem(hostOf(url)));
    if (problem !== null) throw InvalidRequest.at('url', problem);
  }

  /** A name that cannot be resolved is accepted: it may be public by the time of the first event. */
  private async hostProblem(host: string): Promise<string | null> {
    try {
      await this.dialer.addresses(host);
      return null;
    } catch (error) {
      if (error instanceof EgressRefused) return `cannot be sent to: ${error.reason}`;
      if (!(error instanceof EgressError)) throw error;
      return isNeverPublic(host) ? 'cannot be sent to: the name is of a private network' : null;
    }
  }
}
