import { Injectable } from '@nestjs/common';

import { eventDataCheck, EventTypes, Outbox } from '../core/outbox/index.js';

/** What an extension tells of something that happened. */
export interface ExtensionEvent {
  workspaceId: string;
  /** Where it happened; null for an event of the whole workspace. As its type says with `environmentScoped`. */
  environmentId: string | null;
  /** One of the extension's own types. */
  type: string;
  /** Fits the schema of the type. Never a secret. */
  data: Record<string, unknown>;
}

/**
 * Tells webhook endpoints, triggers and followers of the event stream that something happened.
 *
 * @example
 * ```ts
 * await this.database.transaction(async () => {
 *   await this.tickets.insert(ticket);
 *   await this.events.tell({ workspaceId, environmentId: null, type: 'tickets.opened', data: { id: ticket.id } });
 * });
 * ```
 */
@Injectable()
export class Events {
  private readonly checks = new Map<string, (data: unknown) => string | null>();

  /** @internal */
  constructor(
    private readonly types: EventTypes,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Writes an event in the surrounding transaction, so that it is told of if and only if that commits.
   *
   * @returns its id
   * @throws Error where no extension defines the type, or the data do not fit its schema: nothing is written then
   */
  tell(event: ExtensionEvent): Promise<string> {
    const { type, data, environmentId } = event;
    const definition = this.types.isAdded(type) ? this.types.find(type) : null;
    if (!definition) throw new Error(`No extension defines the event type "${type}".`);
    if (definition.environmentScoped !== (environmentId !== null)) {
      const needs = definition.environmentScoped ? 'needs an environment' : 'is of the whole workspace';
      throw new Error(`An event "${type}" ${needs}.`);
    }
    const problem = this.check(type, definition.schema)(data);
    if (problem !== null) throw new Error(`Data of the event "${type}" do not fit: ${problem}.`);
    return this.outbox.write(event);
  }

  private check(type: string, schema: Record<string, unknown>): (data: unknown) => string | null {
    const known = this.checks.get(type) ?? eventDataCheck(schema);
    this.checks.set(type, known);
    return known;
  }
}
