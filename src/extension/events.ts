import { Injectable } from '@nestjs/common';

import { Causes } from '../core/causes/index.js';
import { isId } from '../core/crypto/index.js';
import { eventDataCheck, EventTypes, Outbox } from '../core/outbox/index.js';

/** A handler of events makes no more of one. */
const MOST_TOLD = 100;

/** What an extension tells of something that happened. */
export interface ExtensionEvent {
  workspaceId: string;
  /** Where it happened; null for an event of the whole workspace. As its type says with `environmentScoped`. */
  environmentId: string | null;
  /** One of the extension's own types. */
  type: string;
  /** Fits the schema of the type. Never a secret. */
  data: Record<string, unknown>;
  /**
   * The run that it follows from, so that the limits of a chain of triggers hold. By default the one whose script sent the
   * request that is handled (`caller.run`), or the one behind the event that a handler is called for.
   */
  cause?: { runId: string };
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
    private readonly causes: Causes,
  ) {}

  /**
   * Writes an event in the surrounding transaction, so that it is told of if and only if that commits.
   *
   * @returns its id
   * @throws Error where no extension defines the type, the data do not fit its schema, or a handler of events tells of too many:
   *   nothing is written then
   */
  tell(event: ExtensionEvent): Promise<string> {
    const { cause, ...told } = event;
    const { type, data, environmentId } = told;
    const definition = this.types.isAdded(type) ? this.types.find(type) : null;
    if (!definition) throw new Error(`No extension defines the event type "${type}".`);
    if (definition.environmentScoped !== (environmentId !== null)) {
      const needs = definition.environmentScoped ? 'needs an environment' : 'is of the whole workspace';
      throw new Error(`An event "${type}" ${needs}.`);
    }
    const problem = this.check(type, definition.schema)(data);
    if (problem !== null) throw new Error(`Data of the event "${type}" do not fit: ${problem}.`);
    this.countTold();
    if (!cause) return this.outbox.write(told);
    if (!isId('run', cause.runId))
      throw new Error(`The cause of the event "${type}" is not the id of a run.`);
    return this.outbox.write({ ...told, causedByRunId: cause.runId });
  }

  private countTold(): void {
    const { event } = this.causes;
    if (!event) return;
    if (event.told >= MOST_TOLD) {
      throw new Error(`A handler tells of at most ${MOST_TOLD} events each time that it is called.`);
    }
    event.told += 1;
  }

  private check(type: string, schema: Record<string, unknown>): (data: unknown) => string | null {
    const known = this.checks.get(type) ?? eventDataCheck(schema);
    this.checks.set(type, known);
    return known;
  }
}
