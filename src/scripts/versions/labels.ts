import { cutText } from '../../../libs/cut-text/index.js';
import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { type KeyPart, keyParts, keyProblems } from './key-template.js';

/** What tells runs apart for whoever looks for them: text by name. */
export type Labels = Record<string, string>;

export const MAX_LABELS = 16;
export const MAX_LABEL_LENGTH = 256;
export const LABEL_KEY = /^[a-z][a-z0-9_.-]{0,62}$/;
/** One line. */
const VALUE = /^[^\p{Cc}\p{Cs}\u2028\u2029]+$/u;

/** The same where a document says it. */
export const LABEL_VALUE_PATTERN = '[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+';

/** How labels are documented. */
export const LABELS_FORM = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: `^${LABEL_VALUE_PATTERN}$`, maxLength: MAX_LABEL_LENGTH },
  maxProperties: MAX_LABELS,
  propertyNames: { pattern: LABEL_KEY.source },
} as const;

const KEY_WORDS =
  'has a name that a label cannot have: a to z first, then also 0 to 9, `_`, `.` and `-`, 63 characters at most';

/** What is wrong with a label's value, or null. */
export function labelValueProblem(value: unknown): string | null {
  if (typeof value === 'string' && [...value].length <= MAX_LABEL_LENGTH && VALUE.test(value)) return null;
  return `must be one line of 1 to ${MAX_LABEL_LENGTH} characters`;
}

/**
 * The labels that a start gives.
 *
 * @param ofVersion those that the version makes of inputs, which count as well
 * @throws InvalidRequest naming each wrong place, such as `labels.customer`
 */
export function parseLabels(given: object | undefined, ofVersion: Labels): Labels {
  const labels = parsed(given, labelValueProblem);
  const all = new Set([...Object.keys(ofVersion), ...Object.keys(labels)]);
  if (all.size > MAX_LABELS)
    throw InvalidRequest.at('labels', `must be at most ${MAX_LABELS} with those of the version`);
  return labels;
}

/**
 * The labels that a version makes of the inputs of its runs.
 *
 * @param inputSchema of the version, whose properties a value may name
 * @throws InvalidRequest naming each wrong place
 */
export function parseLabelTemplates(given: object | null | undefined, inputSchema: JsonSchema): Labels {
  return parsed(given ?? undefined, (value) =>
    value === '' ? 'must not be empty' : (keyProblems(value, inputSchema)[0] ?? null),
  );
}

/** What each label is made of; null: the version has none. */
export function labelParts(templates: Labels): Record<string, KeyPart[]> | null {
  const entries = Object.entries(templates);
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.map(([key, template]) => [key, keyParts(template)]));
}

function parsed(given: object | undefined, problemOf: (value: unknown) => string | null): Labels {
  const entries = Object.entries(given ?? {});
  if (entries.length > MAX_LABELS) throw InvalidRequest.at('labels', `must be at most ${MAX_LABELS}`);
  const details: ErrorDetail[] = entries.flatMap(([key, value]) => {
    const message = LABEL_KEY.test(key) ? problemOf(value) : KEY_WORDS;
    return message === null ? [] : [{ path: `labels.${cutText(key, 63)}`, message }];
  });
  if (details.length > 0) throw InvalidRequest.listing(details);
  return Object.fromEntries(entries) as Labels;
}
