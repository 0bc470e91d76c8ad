import {
  environmentsCreate,
  environmentsDelete,
  environmentsGet,
  environmentsList,
  environmentsUpdate,
} from '../generated/sdk.gen.js';
import type {
  Environment,
  EnvironmentDetail,
  EnvironmentInput,
  EnvironmentPatch,
  EnvironmentsListData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Where runs happen, each with values of secrets of its own. An environment is named by its name or id. */
export class Environments {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: EnvironmentsListData['query'], options?: CallOptions): Pages<Environment> {
    return this.calls.list(environmentsList<true>, { query }, options);
  }

  create(input: EnvironmentInput, options?: CallOptions): Promise<Environment> {
    return this.calls.send(environmentsCreate<true>, { body: input }, options);
  }

  get(idOrName: string, options?: CallOptions): Promise<EnvironmentDetail> {
    return this.calls.send(environmentsGet<true>, { path: { idOrName } }, options);
  }

  update(idOrName: string, patch: EnvironmentPatch, options?: CallOptions): Promise<Environment> {
    return this.calls.send(environmentsUpdate<true>, { path: { idOrName }, body: patch }, options);
  }

  /** With its values of secrets. */
  delete(idOrName: string, options?: CallOptions): Promise<void> {
    return this.calls.do(environmentsDelete<true>, { path: { idOrName } }, options);
  }
}
