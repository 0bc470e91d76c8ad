import type { HostRule } from '@gatehouse/client/operations';

import { visible } from '../../../../egress/visible-text.js';
import { hostRuleText } from '../../kit/host-rule-text.js';

export type Change = 'same' | 'new' | 'gone';

export interface Marked<Value> {
  value: Value;
  change: Change;
}

/** What is there now, and what was there before: each with whether it came or went. */
export function marked<Value>(
  now: readonly Value[],
  before: readonly Value[] | null,
  keyOf: (value: Value) => string = String,
): Marked<Value>[] {
  if (before === null) return now.map((value) => ({ value, change: 'same' }));
  const known = new Set(before.map(keyOf));
  const kept = new Set(now.map(keyOf));
  return [
    ...now.map((value): Marked<Value> => ({ value, change: known.has(keyOf(value)) ? 'same' : 'new' })),
    ...before
      .filter((value) => !kept.has(keyOf(value)))
      .map((value): Marked<Value> => ({ value, change: 'gone' })),
  ];
}

/** Every host that may be reached, with the requests that it gets where those are not all. */
export function hostFacts({ hosts, hostRules = [] }: { hosts: string[]; hostRules?: HostRule[] }): string[] {
  return hosts.map((host) => {
    const rules = hostRuleText(host, hostRules);
    return rules === null ? host : `${host}, ${rules}`;
  });
}

export interface InputFact {
  name: string;
  value: unknown;
  /** What it was the last time, where that was something else. */
  before?: { value: unknown };
}

/** The inputs, each with what it was before if it was given then and has changed. */
export function inputFacts(
  now: Record<string, unknown>,
  before: Record<string, unknown> | null,
): InputFact[] {
  return Object.entries(now).map(([name, value]) => {
    if (before === null || !Object.hasOwn(before, name)) return { name, value };
    const changed = JSON.stringify(before[name]) !== JSON.stringify(value);
    return changed ? { name, value, before: { value: before[name] } } : { name, value };
  });
}

/** A value as people read it: text as it is, the rest as JSON, and nothing of it unseen. */
export function valueText(value: unknown): string {
  return visible(typeof value === 'string' ? value : JSON.stringify(value, null, 1));
}
