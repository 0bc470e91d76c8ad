import { DiscoveryService } from '@nestjs/core';

/** An event as handlers get it. `id`, `type`, `createdAt` and `data` are those of the webhook. */
export interface HandledEvent {
  /** The same in each attempt. */
  id: string;
  /** One of the types that the handler names. */
  type: string;
  /** As JSON has it, such as `2026-10-16T14:02:11.512Z`. */
  createdAt: string;
  workspace: { id: string; slug: string; name: string };
  /** null: an event of the whole workspace. */
  environment: { id: string; name: string } | null;
  /** As its type describes it. */
  data: Record<string, unknown>;
}

/** What a class marked with `@EventHandler(name)` looks like. */
export interface EventHandlerProvider {
  /** The types of events that it wants, Gatehouse's own or an extension's. */
  readonly handles: readonly string[];

  /**
   * Is called with each event of these types, of every workspace, some milliseconds after the change is committed, with no
   * transaction open. **At least once**: a process that dies before it has noted the end leaves the event to be handled again, so
   * whatever must happen once is kept by the event's `id`. No two calls for one event are in progress at once, unless one of them
   * is late. Other events are handled meanwhile, in any order.
   *
   * It has 15 seconds. After that, or where it throws, it is called again after 10 seconds, and a third time after a minute. Then
   * the event is set aside: the log has an error, and `/metrics` counts it. An attempt counts before it is made, so an event that
   * ends the process is set aside as well. The log has the message of a `ProblemError` such as `Unavailable`; of any other error
   * only its class and place, since its message may hold a secret.
   *
   * What it tells by `Events` goes on with the event's chain of triggers and handlers: that ends after 8 of them, after 200 calls
   * of handlers, and a call tells of 100 events at most.
   *
   * @param options `signal` is aborted when the time is up or the process stops
   */
  handle(event: HandledEvent, options: { signal: AbortSignal }): Promise<void>;
}

/**
 * Marks a provider as a handler of events, by its name: that of the extension, or that and a dot and more. Found when the
 * application starts; two of one name stop it, and so does a type of event that there is not.
 *
 * @example
 * ```ts
 * \@EventHandler('incidents')
 * export class FailedRuns implements EventHandlerProvider {
 *   readonly handles = ['run.failed'];
 *
 *   async handle({ id, workspace, data }: HandledEvent): Promise<void> {
 *     await this.incidents.openOnce(id, workspace.id, data);
 *   }
 * }
 * ```
 */
export const EventHandler = DiscoveryService.createDecorator<string>();
