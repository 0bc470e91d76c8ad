import type { AlertNotice, AlertOptions } from '../alert-notice.js';
import { ChannelOutbound } from '../channel-outbound.js';
import { NotificationChannel, type NotificationChannelProvider } from '../notification-channel.js';
import { ntfyBody } from './alert-bodies.js';

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;

/** A topic of ntfy, by its address. */
@NotificationChannel('ntfy')
export class NtfyChannel implements NotificationChannelProvider {
  readonly alertsTo = 'url';

  constructor(private readonly outbound: ChannelOutbound) {}

  urlProblem(url: URL): string | null {
    return TOPIC.test(placeOf(url).topic)
      ? null
      : 'must end with a topic, such as https://ntfy.sh/our-alerts';
  }

  alert(alert: AlertNotice, { url, signal }: AlertOptions): Promise<void> {
    const { server, topic } = placeOf(new URL(url!));
    return this.outbound.post(server, ntfyBody(alert, topic), signal);
  }
}

/** JSON is taken at the root of the server, with the topic in it. A token may be in the query. */
function placeOf(url: URL): { server: URL; topic: string } {
  const parts = url.pathname.split('/');
  const topic = parts.pop() ?? '';
  const server = new URL(url);
  server.pathname = `${parts.join('/')}/`;
  return { server, topic };
}
