import type { AlertNotice, AlertOptions } from '../alert-notice.js';
import { ChannelOutbound } from '../channel-outbound.js';
import { NotificationChannel, type NotificationChannelProvider } from '../notification-channel.js';
import { mattermostBody } from './alert-bodies.js';

/** An incoming webhook of Mattermost. */
@NotificationChannel('mattermost')
export class MattermostChannel implements NotificationChannelProvider {
  readonly alertsTo = 'url';

  constructor(private readonly outbound: ChannelOutbound) {}

  alert(alert: AlertNotice, { url, signal }: AlertOptions): Promise<void> {
    return this.outbound.post(url!, mattermostBody(alert), signal);
  }
}
