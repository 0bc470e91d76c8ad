import {
  publishingPublish,
  publishingRestore,
  publishingUnpublish,
  scriptsActivity,
  scriptsArchive,
  scriptsChange,
  scriptsCreate,
  scriptsDetail,
  scriptsList,
} from '../generated/sdk.gen.js';
import type {
  PublishRequested,
  Script,
  ScriptActivity,
  ScriptDetail,
  ScriptInput,
  ScriptPatch,
  ScriptsListData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

export interface PublishOptions extends CallOptions {
  /** The number of the version that is published now, 0 for none. Where it is another one, nothing is published. */
  expectedVersion?: number;
}

/** Programs that run behind the gate. */
export class Scripts {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: ScriptsListData['query'], options?: CallOptions): Pages<Script> {
    return this.calls.list(scriptsList<true>, { query }, options);
  }

  /** Begins as a draft without a version. */
  create(input: ScriptInput, options?: CallOptions): Promise<ScriptDetail> {
    return this.calls.send(scriptsCreate<true>, { body: input }, options);
  }

  get(slug: string, options?: CallOptions): Promise<ScriptDetail> {
    return this.calls.send(scriptsDetail<true>, { path: { slug } }, options);
  }

  update(slug: string, patch: ScriptPatch, options?: CallOptions): Promise<ScriptDetail> {
    return this.calls.send(scriptsChange<true>, { path: { slug }, body: patch }, options);
  }

  /** It runs no more. Its history stays. */
  archive(slug: string, options?: CallOptions): Promise<void> {
    return this.calls.do(scriptsArchive<true>, { path: { slug } }, options);
  }

  /** Runs use this version from now on. Where a second person has to agree, it is the request for that: it has an `approval`. */
  publish(
    slug: string,
    version: number,
    { expectedVersion, ...options }: PublishOptions = {},
  ): Promise<ScriptDetail | PublishRequested> {
    const body = { version, ...(expectedVersion !== undefined && { expectedVersion }) };
    return this.calls.send(publishingPublish<true>, { path: { slug }, body }, options);
  }

  unpublish(slug: string, options?: CallOptions): Promise<ScriptDetail> {
    return this.calls.send(publishingUnpublish<true>, { path: { slug } }, options);
  }

  /** Brings an archived script back, as a draft. */
  restore(slug: string, options?: CallOptions): Promise<ScriptDetail> {
    return this.calls.send(publishingRestore<true>, { path: { slug } }, options);
  }

  /** How often it ran, day by day. */
  activity(slug: string, options?: CallOptions): Promise<ScriptActivity> {
    return this.calls.send(scriptsActivity<true>, { path: { slug } }, options);
  }
}
