import {
  hooksChange,
  hooksCreate,
  hooksDelete,
  hooksGet,
  hooksGetReceipt,
  hooksList,
  hooksListOfScript,
  hooksListReceipts,
  hooksReplay,
  hooksRotate,
} from '../generated/sdk.gen.js';
import type {
  HeldRun,
  Hook,
  HookInput,
  HookPatch,
  HookReceipt,
  HookReceiptDetail,
  HookReplayInput,
  HooksListData,
  HooksListOfScriptData,
  HooksListReceiptsData,
  NewHook,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Addresses to which others send requests, each of which starts a run. */
export class Hooks {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: HooksListData['query'], options?: CallOptions): Pages<Hook> {
    return this.calls.list(hooksList<true>, { query }, options);
  }

  /** Of one script, newest first. */
  listOfScript(slug: string, query?: HooksListOfScriptData['query'], options?: CallOptions): Pages<Hook> {
    return this.calls.list(hooksListOfScript<true>, { path: { slug }, query }, options);
  }

  /** With its address, which is shown here only. */
  create(slug: string, input: HookInput, options?: CallOptions): Promise<NewHook> {
    return this.calls.send(hooksCreate<true>, { path: { slug }, body: input }, options);
  }

  get(id: string, options?: CallOptions): Promise<Hook> {
    return this.calls.send(hooksGet<true>, { path: { id } }, options);
  }

  update(id: string, patch: HookPatch, options?: CallOptions): Promise<Hook> {
    return this.calls.send(hooksChange<true>, { path: { id }, body: patch }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(hooksDelete<true>, { path: { id } }, options);
  }

  /** Gives it another address; the one before does not exist any more. */
  rotate(id: string, options?: CallOptions): Promise<NewHook> {
    return this.calls.send(hooksRotate<true>, { path: { id } }, options);
  }

  /** What came in, newest first. */
  receipts(id: string, query?: HooksListReceiptsData['query'], options?: CallOptions): Pages<HookReceipt> {
    return this.calls.list(hooksListReceipts<true>, { path: { id }, query }, options);
  }

  receipt(id: string, receiptId: string, options?: CallOptions): Promise<HookReceiptDetail> {
    return this.calls.send(hooksGetReceipt<true>, { path: { id, receiptId } }, options);
  }

  /** Runs what came in once more, as the caller. */
  replay(
    id: string,
    receiptId: string,
    input: HookReplayInput = {},
    options?: CallOptions,
  ): Promise<HeldRun> {
    return this.calls.send(hooksReplay<true>, { path: { id, receiptId }, body: input }, options);
  }
}
