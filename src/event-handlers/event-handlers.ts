import { Injectable, type OnModuleInit } from '@nestjs/common';
import { closest } from 'fastest-levenshtein';

import { NamedProviders } from '../core/extensions/index.js';
import { EventTypes } from '../core/outbox/index.js';
import { EventHandler, type EventHandlerProvider } from './event-handler.js';

/** Every handler of events, by its name, and by what it handles. */
@Injectable()
export class EventHandlers implements OnModuleInit {
  private handlers: ReadonlyMap<string, EventHandlerProvider> = new Map();
  private readonly namesByType = new Map<string, string[]>();

  constructor(
    private readonly named: NamedProviders,
    private readonly types: EventTypes,
  ) {}

  /** The module of the catalogue is a global one, so that is complete by now. */
  onModuleInit(): void {
    this.handlers = this.named.find<EventHandlerProvider>('event handler', {
      decorator: EventHandler,
      methods: ['handle'],
      problemOf: (handler) => this.problemOf(handler),
    });
    for (const [name, { handles }] of this.handlers) {
      for (const type of new Set(handles)) this.namesByType.set(type, [...this.wanting(type), name]);
    }
  }

  names(): string[] {
    return [...this.handlers.keys()];
  }

  find(name: string): EventHandlerProvider {
    return this.handlers.get(name)!;
  }

  /** The names of those that handle a type. */
  wanting(type: string): readonly string[] {
    return this.namesByType.get(type) ?? [];
  }

  private problemOf({ handles }: EventHandlerProvider): string | null {
    if (!Array.isArray(handles) || handles.length === 0) return 'has no list `handles` of types of events';
    const known = this.types.all().map(({ type }) => type);
    const unknown = handles.find((type) => !known.includes(type as string)) as unknown;
    return unknown === undefined
      ? null
      : `handles "${String(unknown)}", which is no type of event; the nearest is "${closest(String(unknown), known)}"`;
  }
}
