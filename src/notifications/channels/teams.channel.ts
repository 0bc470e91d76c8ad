import type { AlertNotice, AlertOptions } from '../alert-notice.js';
import { ChannelOutbound } from '../channel-outbound.js';
import { NotificationChannel, type NotificationChannelProvider } from '../notification-channel.js';
import { teamsBody } from './alert-bodies.js';

/** A workflow of Teams that posts the card which it is sent. */
@NotificationChannel('teams')
export class TeamsChannel implements NotificationChannelProvider {
  readonly alertsTo = 'url';

  constructor(private readonly outbound: ChannelOutbound) {}

  alert(alert: AlertNotice, { url, signal }: AlertOptions): Promise<void> {
    return this.outbound.post(url!, teamsBody(alert), signal);
  }
}
