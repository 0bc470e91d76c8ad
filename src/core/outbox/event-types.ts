import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from './event-type.js';
import { catalogueOf } from './event-catalogue.js';

/** Every type of event there is, by the providers that define them. Complete once the modules are initialised. */
@Injectable()
export class EventTypes implements OnModuleInit {
  private catalogue: ReadonlyMap<string, EventTypeDefinition> = new Map();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const sources = this.discovery
      .getProviders({ metadataKey: DefinesEventTypes.KEY })
      .map(({ instance }) => instance as EventTypeSource);
    this.catalogue = catalogueOf([...new Set(sources)].flatMap(({ eventTypes }) => eventTypes));
  }

  /** In the order of their names. */
  all(): readonly EventTypeDefinition[] {
    return [...this.catalogue.values()];
  }

  find(type: string): EventTypeDefinition | null {
    return this.catalogue.get(type) ?? null;
  }
}
