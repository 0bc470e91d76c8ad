import request, { type RequestOptions } from '../approvals/request.js';
import type { Context } from '../context.js';

interface KeyOptions extends RequestOptions {
  boundTo?: string;
}

/** No token makes a key: a person is asked to, and what comes of it is redeemed here. */
export default async function createKey(context: Context<KeyOptions>): Promise<number> {
  const { args, options } = context;
  const [name = ''] = args;
  const environment = options.boundTo;
  const field = [`name=${name}`, ...(environment === undefined ? [] : [`environment=${environment}`])];
  return request({ ...context, args: ['api_key.create'], options: { ...options, field } });
}
