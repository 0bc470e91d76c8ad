import { eventTypesList } from '../generated/sdk.gen.js';
import type { EventType } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** What can happen in the workspace. */
export class EventTypes {
  constructor(private readonly calls: Calls) {}

  /** Each type of event, with the schema of its data and an example. */
  async list(options?: CallOptions): Promise<EventType[]> {
    return (await this.calls.send(eventTypesList<true>, {}, options)).items;
  }
}
