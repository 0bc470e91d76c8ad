import type { AlertNotice, AlertOptions } from '../alert-notice.js';
import { ChannelOutbound } from '../channel-outbound.js';
import { NotificationChannel, type NotificationChannelProvider } from '../notification-channel.js';
import { pagerDutyBody } from './alert-bodies.js';

const KEY = 'routing_key';

/** The Events API v2 of PagerDuty, whose address has the integration key in its query. */
@NotificationChannel('pagerduty')
export class PagerDutyChannel implements NotificationChannelProvider {
  readonly alertsTo = 'url';
  readonly alertsByIncident = true;

  constructor(private readonly outbound: ChannelOutbound) {}

  urlProblem(url: URL): string | null {
    return /^\w{1,64}$/.test(url.searchParams.get(KEY) ?? '')
      ? null
      : `must have the integration key: https://events.pagerduty.com/v2/enqueue?${KEY}=…`;
  }

  alert(alert: AlertNotice, { url, signal }: AlertOptions): Promise<void> {
    const address = new URL(url!);
    const routingKey = address.searchParams.get(KEY)!;
    address.searchParams.delete(KEY);
    return this.outbound.post(address, pagerDutyBody(alert, routingKey), signal);
  }
}
