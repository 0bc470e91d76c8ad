import type { RememberedCredential } from '../core/access/index.js';
import type { ToolCaller } from '../tools/index.js';

/** A JSON-RPC message as it came, before anybody has checked it. */
export type RpcMessage = Record<string, unknown>;

/** A message, and what is known of whoever sent it. */
export interface McpCall extends ToolCaller {
  message: RpcMessage;
  requestId: string;
  /** That of the request, as its hash. */
  credential: RememberedCredential;
  /** Aborted when another message has cancelled this one. */
  cancelled: AbortSignal;
}

/** The `params` of a message; empty where it has none. */
export function paramsOf({ params }: RpcMessage): Record<string, unknown> {
  return typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
}
