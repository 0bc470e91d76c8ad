import { queuesCreate, queuesDelete, queuesGet, queuesList, queuesUpdate } from '../generated/sdk.gen.js';
import type { Queue, QueueDetail, QueueInput, QueuePatch, QueuesListData } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Places that the runs of several scripts share. A script is put into one by its `queue`. */
export class Queues {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: QueuesListData['query'], options?: CallOptions): Pages<Queue> {
    return this.calls.list(queuesList<true>, { query }, options);
  }

  create(input: QueueInput, options?: CallOptions): Promise<QueueDetail> {
    return this.calls.send(queuesCreate<true>, { body: input }, options);
  }

  get(name: string, options?: CallOptions): Promise<QueueDetail> {
    return this.calls.send(queuesGet<true>, { path: { name } }, options);
  }

  /** Gives it another limit, pauses it, or has it go on. */
  update(name: string, patch: QueuePatch, options?: CallOptions): Promise<QueueDetail> {
    return this.calls.send(queuesUpdate<true>, { path: { name }, body: patch }, options);
  }

  /** Where no script is in it. */
  delete(name: string, options?: CallOptions): Promise<void> {
    return this.calls.do(queuesDelete<true>, { path: { name } }, options);
  }
}
