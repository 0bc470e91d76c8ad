import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { type ErrorDetail, InvalidRequest } from '../core/errors/index.js';
import { WorkspaceKeysService } from '../core/keys/index.js';
import { NotificationChannels } from '../notifications/index.js';
import { EndpointValidator } from '../webhooks/index.js';
import { MOST_RECIPIENTS } from './alert.dto.js';
import type { AlertRule } from './alert-rule.entity.js';
import { AlertRulesRepository } from './alert-rules.repository.js';
import { placeOfUrl } from './sending/alert-notice-reader.js';

/** Checked, and not sealed yet. */
export interface Destination {
  channel: string;
  url: string | null;
  recipients: string[];
}

const at = (field: string): string => `destination.${field}`;

/** Where messages may go. */
@Injectable()
export class AlertDestinationsService {
  constructor(
    private readonly channels: NotificationChannels,
    private readonly checks: EndpointValidator,
    private readonly rules: AlertRulesRepository,
    private readonly keys: WorkspaceKeysService,
    private readonly settings: Settings,
  ) {}

  /**
   * Asks the DNS for the host, so never within a transaction.
   *
   * @throws InvalidRequest
   */
  async check(workspaceId: string, given: object): Promise<Destination> {
    const { channel: name, url, to, ...unknown } = given as Record<string, unknown>;
    for (const field of Object.keys(unknown)) throw InvalidRequest.at(at(field), 'is not known');
    const channel = typeof name === 'string' ? this.channels.find(name) : null;
    if (!channel?.alert || typeof name !== 'string')
      throw InvalidRequest.at(at('channel'), `must be one of ${this.channels.alerting().join(', ')}`);
    if (channel.alertsTo !== 'url' && url !== undefined)
      throw InvalidRequest.at(at('url'), `is not taken by ${name}`);
    if (channel.alertsTo !== 'people' && to !== undefined)
      throw InvalidRequest.at(at('to'), `is not taken by ${name}`);
    if (channel.alertsTo === 'people' && channel.enabled === false)
      throw InvalidRequest.at(at('channel'), `cannot be ${name}: it is not set up here`);
    if (channel.alertsTo !== 'url') {
      return { channel: name, url: null, recipients: await this.members(workspaceId, to ?? []) };
    }
    if (typeof url !== 'string') throw InvalidRequest.at(at('url'), `is needed by ${name}`);
    await this.checks.checkUrl(url, at('url'));
    const address = new URL(url);
    // What a rule tells may otherwise be what it hears of next.
    if (address.host === new URL(this.settings.baseUrl).host)
      throw InvalidRequest.at(at('url'), 'must not be an address of this service');
    const problem = channel.urlProblem?.(address) ?? null;
    if (problem !== null) throw InvalidRequest.at(at('url'), problem);
    return { channel: name, url, recipients: [] };
  }

  /** The columns of a rule that say where it tells. */
  async sealed(
    { id, workspaceId }: Pick<AlertRule, 'id' | 'workspaceId'>,
    { channel, url, recipients }: Destination,
  ): Promise<Pick<AlertRule, 'channel' | 'host' | 'sealedUrl' | 'recipients'>> {
    const key = await this.keys.of(workspaceId);
    const sealedUrl = url === null ? null : key.seal(url, placeOfUrl(id));
    return { channel, host: url === null ? null : new URL(url).host, sealedUrl, recipients };
  }

  private async members(workspaceId: string, to: unknown): Promise<string[]> {
    if (!Array.isArray(to) || to.length > MOST_RECIPIENTS)
      throw InvalidRequest.at(at('to'), `must be a list of at most ${MOST_RECIPIENTS} addresses`);
    const given = to.map((address: unknown) => (typeof address === 'string' ? address.toLowerCase() : ''));
    const known = new Set(given.length === 0 ? [] : await this.rules.addresses(workspaceId, given));
    const details = given.flatMap((address, index): ErrorDetail[] =>
      known.has(address) ? [] : [{ path: at(`to.${index}`), message: 'is not the address of a member' }],
    );
    if (details.length > 0) throw InvalidRequest.listing(details);
    return [...new Set(given)];
  }
}
