import { errorsGet, errorsIgnore, errorsList, errorsReopen, errorsResolve } from '../generated/sdk.gen.js';
import type { ErrorGroup, ErrorIgnoreInput, ErrorsListData } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** What scripts fail of: runs that failed in the same way are one error. */
export class Errors {
  constructor(private readonly calls: Calls) {}

  /** Those first that were seen last. */
  list(query?: ErrorsListData['query'], options?: CallOptions): Pages<ErrorGroup> {
    return this.calls.list(errorsList<true>, { query }, options);
  }

  /** Its runs: `runs.list({ errorId })`. */
  get(id: string, options?: CallOptions): Promise<ErrorGroup> {
    return this.calls.send(errorsGet<true>, { path: { id } }, options);
  }

  /** A run that fails with it afterwards opens it again. */
  resolve(id: string, options?: CallOptions): Promise<ErrorGroup> {
    return this.calls.send(errorsResolve<true>, { path: { id } }, options);
  }

  /** Until a moment, or for good. */
  ignore(id: string, input: ErrorIgnoreInput = {}, options?: CallOptions): Promise<ErrorGroup> {
    return this.calls.send(errorsIgnore<true>, { path: { id }, body: input }, options);
  }

  /** One that is resolved or ignored. */
  reopen(id: string, options?: CallOptions): Promise<ErrorGroup> {
    return this.calls.send(errorsReopen<true>, { path: { id } }, options);
  }
}
