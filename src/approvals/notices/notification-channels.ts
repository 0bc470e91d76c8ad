import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NamedProviders } from '../../core/extensions/index.js';
import { NotificationChannel, type NotificationChannelProvider } from './notification-channel.js';

/** Every way to tell people of approvals, by its name. */
@Injectable()
export class NotificationChannels implements OnModuleInit {
  private channels: ReadonlyMap<string, NotificationChannelProvider> = new Map();

  constructor(private readonly named: NamedProviders) {}

  onModuleInit(): void {
    this.channels = this.named.find<NotificationChannelProvider>('notification channel', {
      decorator: NotificationChannel,
      methods: ['notify'],
    });
  }

  find(name: string): NotificationChannelProvider | null {
    return this.channels.get(name) ?? null;
  }

  /** The names of those that may have something to do. */
  names(): string[] {
    return [...this.channels.keys()];
  }

  /** The names of those that are to be told. */
  enabled(): string[] {
    return [...this.channels].filter(([, { enabled }]) => enabled !== false).map(([name]) => name);
  }
}
