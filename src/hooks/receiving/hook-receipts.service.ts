import { Injectable } from '@nestjs/common';

import { mismatch, Rendering, REQUEST_PLACEHOLDERS } from '../../automations/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { isId } from '../../core/crypto/index.js';
import { keysetPage, type PageRequest } from '../../core/database/index.js';
import { Conflict, NotFound } from '../../core/errors/index.js';
import { RunStartsService, type StartedRun } from '../../runs/index.js';
import type { HookReceiptDetailDto, HookReceiptDto, HookReceiptPage, HookReplayInput } from '../hook.dto.js';
import type { HookReceipt } from '../hook-receipt.entity.js';
import { HooksService } from '../hooks.service.js';
import { HookReceiptsRepository, type ListedReceipt } from './hook-receipts.repository.js';
import { parseBody } from './request-of.js';

/** What has come in, for whoever looks after a hook. */
@Injectable()
export class HookReceiptsService {
  constructor(
    private readonly hooks: HooksService,
    private readonly receipts: HookReceiptsRepository,
    private readonly starts: RunStartsService,
  ) {}

  async list(caller: WorkspaceCaller, hookId: string, request: PageRequest): Promise<HookReceiptPage> {
    await this.hooks.find(caller, hookId);
    const fetch = (after: string | null, count: number) => this.receipts.list(hookId, after, count);
    return keysetPage(request, { list: 'hook-receipts', filters: hookId }, fetch, presentReceipt);
  }

  async get(caller: WorkspaceCaller, hookId: string, id: string): Promise<HookReceiptDetailDto> {
    await this.hooks.find(caller, hookId);
    const receipt = await this.find(hookId, id);
    const { body } = receipt;
    const text = body && textOf(body);
    return {
      ...presentReceipt(receipt),
      headers: receipt.headers,
      query: receipt.query,
      body: body && (text ?? body.toString('base64')),
      bodyEncoding: body && text === null ? 'base64' : 'utf8',
    };
  }

  /**
   * Runs it once more, as the caller, with what the hook makes of it now.
   *
   * @throws Conflict where its body was not kept, or where the filter does not let it through
   */
  async replay(
    caller: WorkspaceCaller,
    hookId: string,
    id: string,
    { version }: HookReplayInput,
  ): Promise<StartedRun> {
    const hook = await this.hooks.find(caller, hookId);
    const { body, headers, query } = await this.find(hookId, id);
    if (body === null) throw new Conflict('The body of a request that started nothing is not kept.');
    const data = { body: parseBody(body, headers['content-type'], hook.verify), headers, query };
    const path = mismatch(hook.filter, data);
    if (path !== null) {
      throw new Conflict(`The request does not have at ${path} what the filter of the hook asks for.`);
    }
    const { inputs, problem } = new Rendering(hook.inputs, data, REQUEST_PLACEHOLDERS).make();
    if (problem !== null) throw new Conflict(`The run would fail: ${problem}.`);
    const also = {
      action: 'hook.replayed' as const,
      target: { type: 'hook', id: hookId },
      details: { receipt: id },
    };
    return this.starts.replay(caller, { slug: hook.scriptSlug, version, also }, { inputs });
  }

  private async find(hookId: string, id: string): Promise<HookReceipt> {
    const receipt = isId('receipt', id) ? await this.receipts.find(hookId, id) : null;
    if (!receipt) throw new NotFound('receipt');
    return receipt;
  }
}

function presentReceipt(row: ListedReceipt): HookReceiptDto {
  return {
    id: row.id,
    receivedAt: row.createdAt.toISOString(),
    verdict: row.verdict,
    reason: row.reason,
    providerId: row.providerId,
    bytes: row.bodyBytes,
    runId: row.runId,
  };
}

function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}
