import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';

import { ExtensionProblem, Extensions } from '../extensions/index.js';
import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from './event-type.js';
import { catalogueOf } from './event-catalogue.js';

/** Every type of event there is, by the providers that define them. Complete once the modules are initialised. */
@Injectable()
export class EventTypes implements OnModuleInit {
  private readonly added = new Set<string>();
  private catalogue: ReadonlyMap<string, EventTypeDefinition> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly extensions: Extensions,
  ) {}

  onModuleInit(): void {
    const sources = this.discovery
      .getProviders({ metadataKey: DefinesEventTypes.KEY })
      .map(({ instance, host }) => this.checked(instance as EventTypeSource, host));
    const definitions = [...new Set(sources)].flatMap(({ eventTypes }) => eventTypes);
    // Our own were checked by tests, and compiling their schemas is a noticeable part of a start.
    this.catalogue = catalogueOf(definitions, ({ type }) => !this.added.has(type));
  }

  private checked(source: EventTypeSource, module: InstanceWrapper['host']): EventTypeSource {
    const owner = this.extensions.ownerOf(module);
    if (!owner) return source;
    if (!Array.isArray(source.eventTypes)) {
      throw new ExtensionProblem(owner.reference, `${source.constructor.name} has no list \`eventTypes\`.`);
    }
    for (const definition of source.eventTypes as EventTypeDefinition[]) {
      this.extensions.assertOwn(module, 'the event type', definition.type);
      this.added.add(definition.type);
    }
    return source;
  }

  /** In the order of their names. */
  all(): readonly EventTypeDefinition[] {
    return [...this.catalogue.values()];
  }

  /** Whether an extension has defined it. */
  isAdded(type: string): boolean {
    return this.added.has(type);
  }

  find(type: string): EventTypeDefinition | null {
    return this.catalogue.get(type) ?? null;
  }
}
