import { isDeepStrictEqual } from 'node:util';

import { isSchemaObject, type JsonSchema } from '../../libs/json-schema/index.js';
import { InvalidRequest } from '../core/errors/index.js';

const MOST_CHARACTERS = 16_384;

export const ASKED_OF = ['agents', 'all'] as const;

/** Runs whose inputs match a schema wait for a person: `ask` where `amount > 100`. */
export interface AskRule {
  /** A JSON Schema of the inputs, with defaults filled in. */
  when: JsonSchema;
  /** Whose runs: those that agents start, or all. */
  who: (typeof ASKED_OF)[number];
}

/**
 * A rule as it was sent; whether its schema can be used is checked by `SchemaChecks`.
 *
 * @throws InvalidRequest naming each place
 */
export function parseAskRule(sent: unknown): AskRule | null {
  if (sent === null) return null;
  if (typeof sent !== 'object' || Array.isArray(sent))
    throw InvalidRequest.at('ask', 'must be an object or null');
  const { when, who, ...unknown } = sent as Record<string, unknown>;
  const details = Object.keys(unknown).map((name) => ({
    path: `ask.${name}`,
    message: 'is not a field of this request',
  }));
  if (!isSchemaObject(when)) details.push({ path: 'ask.when', message: 'must be a JSON Schema: an object' });
  if (!ASKED_OF.some((known) => known === who)) {
    details.push({ path: 'ask.who', message: `must be one of ${ASKED_OF.join(', ')}` });
  }
  if (JSON.stringify(when)?.length > MOST_CHARACTERS) {
    details.push({ path: 'ask.when', message: `must have at most ${MOST_CHARACTERS} characters` });
  }
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { when: when as JsonSchema, who: who as AskRule['who'] };
}

/** Whether the rule is for a run at all, whatever its inputs. */
export function asksOf(rule: AskRule | null, byAgent: boolean): rule is AskRule {
  return rule !== null && (rule.who === 'all' || byAgent);
}

/** Whether some run is held under the rule before that need not be under the one after. Which schema holds more cannot be told. */
export function isLaxerRule(after: AskRule | null, before: AskRule | null): boolean {
  if (before === null) return false;
  if (after === null || (before.who === 'all' && after.who !== 'all')) return true;
  return !isDeepStrictEqual(after.when, before.when);
}
