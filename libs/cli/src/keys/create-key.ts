import request, { type RequestOptions } from '../approvals/request.js';
import type { Context } from '../context.js';
import { endOf } from '../general/moment.js';

interface KeyOptions extends RequestOptions {
  boundTo?: string;
  scope?: string[];
  expires?: string;
}

/** No token makes a key: a person is asked to, and what comes of it is redeemed here. */
export default async function createKey(context: Context<KeyOptions>): Promise<number> {
  const { args, options } = context;
  const [name = ''] = args;
  const { boundTo: environment, scope: scopes, expires } = options;
  const field = [
    `name=${name}`,
    ...(environment === undefined ? [] : [`environment=${environment}`]),
    ...(expires === undefined ? [] : [`expiresAt=${endOf('--expires', expires)}`]),
  ];
  const jsonField = scopes === undefined ? [] : [`scopes=${JSON.stringify(scopes)}`];
  return request({ ...context, args: ['api_key.create'], options: { ...options, field, jsonField } });
}
