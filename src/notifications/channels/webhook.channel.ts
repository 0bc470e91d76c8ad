import type { AlertNotice, AlertOptions } from '../alert-notice.js';
import { ChannelOutbound } from '../channel-outbound.js';
import { NotificationChannel, type NotificationChannelProvider } from '../notification-channel.js';
import { webhookBody } from './alert-bodies.js';

/** Any address that takes JSON. `webhook-id` is the same in each attempt. */
@NotificationChannel('webhook')
export class WebhookChannel implements NotificationChannelProvider {
  readonly alertsTo = 'url';

  constructor(private readonly outbound: ChannelOutbound) {}

  alert(alert: AlertNotice, { url, signal }: AlertOptions): Promise<void> {
    return this.outbound.post(url!, webhookBody(alert), signal, { 'webhook-id': alert.id });
  }
}
