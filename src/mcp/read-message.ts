import { ProblemError } from '../core/errors/index.js';
import {
  DEFAULT_BODY_LIMIT,
  type GatehouseRequest,
  isLarge,
  parseJson,
  readBody,
} from '../core/http/index.js';
import type { RpcMessage } from './mcp-call.js';

/** Codes of JSON-RPC for what is no message at all. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** A body that is no message, and the response that the protocol has for it. */
export class NotAMessage extends Error {
  readonly response: object;

  constructor(code: number, message: string) {
    super(message);
    this.response = { jsonrpc: '2.0', id: null, error: { code, message } };
  }
}

/**
 * The message in the body of a request.
 *
 * @throws NotAMessage; ProblemError where it is larger than 1 MiB
 */
export async function readMessage(request: GatehouseRequest): Promise<RpcMessage> {
  const body = await readBody(request, DEFAULT_BODY_LIMIT);
  if (isLarge(body)) {
    throw new NotAMessage(INVALID_REQUEST, 'The message holds too many values. Give them as a file.');
  }
  const value = parsed(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new NotAMessage(INVALID_REQUEST, 'The body must be one JSON-RPC message.');
  }
  return value as RpcMessage;
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof ProblemError) throw new NotAMessage(PARSE_ERROR, error.message);
    throw error;
  }
}
