import {
  secretsDelete,
  secretsGet,
  secretsList,
  secretSourcesList,
  secretsSet,
} from '../generated/sdk.gen.js';
import type {
  Secret,
  SecretInput,
  SecretSet,
  SecretSourceList,
  SecretsListData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** What scripts use and never see. No method gives a value. */
export class Secrets {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: SecretsListData['query'], options?: CallOptions): Pages<Secret> {
    return this.calls.list(secretsList<true>, { query }, options);
  }

  get(name: string, options?: CallOptions): Promise<Secret> {
    return this.calls.send(secretsGet<true>, { path: { name } }, options);
  }

  /** Where values can be kept, beside the service itself. */
  sources(options?: CallOptions): Promise<SecretSourceList> {
    return this.calls.send(secretSourcesList<true>, {}, options);
  }

  /** Sets the value in the environment that is acted in. */
  set(name: string, input: SecretInput, options?: CallOptions): Promise<SecretSet> {
    return this.calls.send(secretsSet<true>, { path: { name }, body: input }, options);
  }

  /** Deletes the value of the environment that is acted in, or all of them. */
  delete(
    name: string,
    { allEnvironments = false }: { allEnvironments?: boolean } = {},
    options?: CallOptions,
  ): Promise<void> {
    const query = allEnvironments ? { allEnvironments: 'true' as const } : undefined;
    return this.calls.do(secretsDelete<true>, { path: { name }, query }, options);
  }
}
