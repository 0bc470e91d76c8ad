import { DiscoveryService } from '@nestjs/core';

import type { EventAudience } from './event-audience.js';

/** A kind of event that webhook endpoints and triggers can subscribe to. */
export interface EventTypeDefinition {
  /** Dotted, such as `run.failed`; unique. */
  type: string;
  /** What has happened when it is sent, in one sentence. */
  description: string;
  /** True: it belongs to one environment, and only that environment's endpoints and triggers get it. */
  environmentScoped: boolean;
  /** Who may follow events of this type. Without it: only who may read webhook endpoints, which get every event. */
  audience?: EventAudience;
  /** JSON Schema 2020-12 of `data`. Fields are only ever added. */
  schema: Record<string, unknown>;
  /** An example of `data` that fits the schema. */
  example: Record<string, unknown>;
}

/** What a class marked with `@DefinesEventTypes()` looks like. */
export interface EventTypeSource {
  readonly eventTypes: readonly EventTypeDefinition[];
}

/**
 * An extension point: marks a provider whose `eventTypes` join the catalogue. They are collected when the application
 * starts; two definitions of one type, or an example that does not fit its schema, stop the start.
 *
 * @example
 * \@DefinesEventTypes()
 * export class ScriptEventTypes implements EventTypeSource {
 *   readonly eventTypes = [{ type: 'script.published', … }];
 * }
 */
export const DefinesEventTypes = DiscoveryService.createDecorator();
