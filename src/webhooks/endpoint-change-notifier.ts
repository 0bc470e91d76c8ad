import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Notifications } from '../core/database/index.js';

const TOPIC = 'webhook_endpoint';

/** Tells the worker that is sending to an endpoint that the endpoint has changed. */
@Injectable()
export class EndpointChangeNotifier implements OnModuleInit {
  constructor(private readonly notifications: Notifications) {}

  async onModuleInit(): Promise<void> {
    await this.notifications.listen();
  }

  /** Sent when the surrounding transaction commits. */
  send(endpointId: string): Promise<void> {
    return this.notifications.notify(TOPIC, endpointId);
  }

  /** Returns how to stop. */
  on(endpointId: string, listener: () => void): () => void {
    return this.notifications.on(TOPIC, endpointId, listener);
  }
}
