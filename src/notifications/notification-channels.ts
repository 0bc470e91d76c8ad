import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NamedProviders } from '../core/extensions/index.js';
import { NotificationChannel, type NotificationChannelProvider } from './notification-channel.js';

/** Every way to tell people of approvals and alerts, by its name. */
@Injectable()
export class NotificationChannels implements OnModuleInit {
  private channels: ReadonlyMap<string, NotificationChannelProvider> = new Map();

  constructor(private readonly named: NamedProviders) {}

  onModuleInit(): void {
    this.channels = this.named.find<NotificationChannelProvider>('notification channel', {
      decorator: NotificationChannel,
      methods: [],
      problemOf: ({ notify, alert }) =>
        typeof (notify ?? alert) === 'function' ? null : 'has no method notify, and no method alert',
    });
  }

  find(name: string): NotificationChannelProvider | null {
    return this.channels.get(name) ?? null;
  }

  /** The names of those that tell of approvals. */
  names(): string[] {
    return this.namesWhere(({ notify }) => notify !== undefined);
  }

  /** The names of those that are to be told of approvals. */
  enabled(): string[] {
    return this.namesWhere(({ notify, enabled }) => notify !== undefined && enabled !== false);
  }

  /** The names of those that alerts go to, in their order. */
  alerting(): string[] {
    return this.namesWhere(({ alert }) => alert !== undefined).sort();
  }

  private namesWhere(fits: (channel: NotificationChannelProvider) => boolean): string[] {
    return [...this.channels].filter(([, channel]) => fits(channel)).map(([name]) => name);
  }
}
