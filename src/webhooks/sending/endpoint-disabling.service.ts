import { Injectable } from '@nestjs/common';

import { AuditTrail, SYSTEM } from '../../audit/index.js';
import { Notifications } from '../../core/database/index.js';
import { type MailMessage, MailService } from '../../core/mail/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { DeliveriesRepository } from '../deliveries.repository.js';
import { endpointName } from '../endpoint.presenter.js';
import { type DisabledEndpoint, ENDPOINT_TOPIC, EndpointsRepository } from '../endpoints.repository.js';
import { ENDPOINT_DISABLED } from '../webhook.event-types.js';

/** Of what waits to be sent; of more, the rest is failed by the workers' sweep. */
const FAILED_AT_ONCE = 10_000;

/** Disables an endpoint that failed too often, and tells the workspace. */
@Injectable()
export class EndpointDisablingService {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly notifications: Notifications,
    private readonly mails: MailService,
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
  ) {}

  /** Part of the transaction that writes the last of the failed attempts. */
  async disable(id: string, reason: string): Promise<void> {
    const endpoint = await this.endpoints.disable(id);
    if (!endpoint) return;
    const { workspaceId, environmentId } = endpoint;
    const name = endpointName(endpoint);
    await this.deliveries.failPending(id, FAILED_AT_ONCE);
    const data = { id, name, reason };
    await this.outbox.add({ workspaceId, environmentId, type: ENDPOINT_DISABLED, data });
    const target = { type: 'webhook_endpoint', id };
    await this.audit.record(workspaceId, SYSTEM, 'webhook_endpoint.disabled', target, { name, reason });
    if (this.mails.enabled) {
      const owners = await this.endpoints.ownersOf(workspaceId);
      await this.mails.queue(
        ...owners.map((to) => ({ ...disabledMail(to, name, reason, endpoint), workspaceId })),
      );
    }
    await this.notifications.notify(ENDPOINT_TOPIC, id);
  }
}

function disabledMail(
  to: string,
  name: string,
  reason: string,
  { workspace, environment }: DisabledEndpoint,
): MailMessage {
  return {
    to,
    subject: `Webhook endpoint switched off in ${workspace.name}: ${name}`,
    text: [
      `Events are no longer sent to the webhook endpoint ${name} (environment ${environment.name}): ${reason}.`,
      'What waited to be sent has failed, and events from now on are not queued for it.',
      'Once its receiver works, enable the endpoint, and recover what it has missed.',
    ].join('\n\n'),
  };
}
