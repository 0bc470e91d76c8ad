import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { MasterKey } from '../core/crypto/index.js';
import { type McpCall, paramsOf } from './mcp-call.js';

const PURPOSE = 'mcp-request-state';

/** The run that a call has started already, as a client keeps it between two rounds of that call. */
export interface RequestState {
  runId: string;
}

/** Signed, and bound to grant, tool and arguments: a client can neither make one up nor use it for another call. */
@Injectable()
export class RequestStateSigner {
  constructor(private readonly key: MasterKey) {}

  issue(call: McpCall, runId: string): string {
    return `${runId}.${this.key.sign(PURPOSE, textOf(call, runId))}`;
  }

  /** @throws Error where it was not issued for this call */
  verify(state: string, call: McpCall): RequestState {
    const [runId = '', signature = ''] = state.split('.', 2);
    if (!this.key.verify(PURPOSE, textOf(call, runId), signature))
      throw new Error('Not a state of this call.');
    return { runId };
  }
}

function textOf({ caller, message }: McpCall, runId: string): string {
  const { name, arguments: args } = paramsOf(message);
  const digest = createHash('sha256')
    .update(JSON.stringify(args ?? {}))
    .digest('hex');
  return JSON.stringify([caller.credentialId, name, digest, runId]);
}
