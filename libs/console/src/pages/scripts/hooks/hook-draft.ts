import type { Hook, HookInput } from '@gatehouse/client/operations';

import { textOfInput, textOfValue } from '../triggers/template-text.js';
import { type FilterRow, fieldsOf } from '../triggers/trigger-draft.js';

/** How requests prove where they come from, by what people call it. */
export const SCHEMES = [
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'stripe', label: 'Stripe' },
  { value: 'slack', label: 'Slack' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'standard-webhooks', label: 'Standard Webhooks' },
  { value: 'hmac', label: 'A signature of your own (HMAC)' },
  { value: 'token', label: 'A word in a header' },
  { value: 'basic', label: 'A user and a password' },
  { value: 'none', label: 'Nothing: anybody may send' },
] as const;

/** A hook as it is filled in: everything as text. */
export interface HookDraft {
  name: string;
  environment: string;
  verify: Record<string, string>;
  headers: string;
  filter: FilterRow[];
  inputs: Record<string, string>;
  respond: boolean;
}

type HookFields = Required<
  Pick<HookInput, 'name' | 'verify' | 'headers' | 'filter' | 'inputs' | 'respond'>
> & {
  environment: string;
};

export const EMPTY_HOOK: HookDraft = {
  name: '',
  environment: '',
  verify: { scheme: 'github' },
  headers: '',
  filter: [],
  inputs: {},
  respond: false,
};

export function draftOf({ name, environment, verify, headers, filter, inputs, respond }: Hook): HookDraft {
  return {
    name,
    environment,
    verify: Object.fromEntries(Object.entries(verify).map(([key, value]) => [key, String(value)])),
    headers: headers.join(', '),
    filter: Object.entries(filter).map(([path, value], id) => ({ id, path, value: textOfValue(value) })),
    inputs: Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, textOfInput(value)])),
    respond,
  };
}

/** What is sent: what was left empty is left out. */
export function hookFields(draft: HookDraft, schema: Record<string, unknown> | null): HookFields {
  const { tolerance = '', ...texts } = draft.verify;
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  const verify: object = { ...given, ...(tolerance !== '' && { tolerance: Number(tolerance) }) };
  return {
    ...fieldsOf(draft, schema),
    // Whether it is complete, the service says.
    verify: verify as HookInput['verify'],
    headers: draft.headers
      .split(/[\s,]+/)
      .filter((name) => name !== '')
      .map((name) => name.toLowerCase()),
    respond: draft.respond,
  };
}
