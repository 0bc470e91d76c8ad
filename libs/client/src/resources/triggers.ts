import {
  triggersChange,
  triggersCreate,
  triggersDelete,
  triggersGet,
  triggersList,
  triggersListOfScript,
  triggersTest,
} from '../generated/sdk.gen.js';
import type {
  Trigger,
  TriggerInput,
  TriggerPatch,
  TriggerTest,
  TriggerTestInput,
  TriggersListData,
  TriggersListOfScriptData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Which events scripts run at. */
export class Triggers {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: TriggersListData['query'], options?: CallOptions): Pages<Trigger> {
    return this.calls.list(triggersList<true>, { query }, options);
  }

  /** Of one script, newest first. */
  listOfScript(
    slug: string,
    query?: TriggersListOfScriptData['query'],
    options?: CallOptions,
  ): Pages<Trigger> {
    return this.calls.list(triggersListOfScript<true>, { path: { slug }, query }, options);
  }

  create(slug: string, input: TriggerInput, options?: CallOptions): Promise<Trigger> {
    return this.calls.send(triggersCreate<true>, { path: { slug }, body: input }, options);
  }

  get(id: string, options?: CallOptions): Promise<Trigger> {
    return this.calls.send(triggersGet<true>, { path: { id } }, options);
  }

  update(id: string, patch: TriggerPatch, options?: CallOptions): Promise<Trigger> {
    return this.calls.send(triggersChange<true>, { path: { id }, body: patch }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(triggersDelete<true>, { path: { id } }, options);
  }

  /** Says whether it would fire for an event, and with which inputs. Nothing runs. */
  test(id: string, input: TriggerTestInput, options?: CallOptions): Promise<TriggerTest> {
    return this.calls.send(triggersTest<true>, { path: { id }, body: input }, options);
  }
}
