import { registerDecorator, type ValidationOptions } from 'class-validator';

import { LABEL_KEY, LABEL_VALUE_PATTERN, labelValueProblem, MAX_LABEL_LENGTH } from '../scripts/index.js';
import { RUN_STATUSES, type RunStatus } from './run.status.js';

/** A week, which is the longest that a run may take. */
export const MOST_SECONDS = 604_800;
const MOST_LABELS = 8;

/** How some statuses, separated by commas, are documented. */
export function statusesForm(known: readonly RunStatus[] = RUN_STATUSES) {
  const one = `(${known.join('|')})`;
  return { type: 'string', pattern: `^${one}(,${one})*$` } as const;
}

export const LABEL_FILTERS_FORM = {
  type: 'array',
  items: {
    type: 'string',
    pattern: `${LABEL_KEY.source.slice(0, -1)}(=${LABEL_VALUE_PATTERN})?$`,
    maxLength: 64 + MAX_LABEL_LENGTH,
  },
  minItems: 1,
  maxItems: MOST_LABELS,
} as const;

/** A label that runs must have: of any value, or of this one. */
export interface LabelFilter {
  key: string;
  value: string | null;
}

export const statusesIn = (text: string): RunStatus[] => [...new Set(text.split(','))] as RunStatus[];

/** Reads `name` or `name=value`. */
export function labelFilterIn(text: string): LabelFilter {
  const at = text.indexOf('=');
  return at < 0 ? { key: text, value: null } : { key: text.slice(0, at), value: text.slice(at + 1) };
}

/** Some statuses, separated by commas. */
export function AreStatuses(known: readonly string[] = RUN_STATUSES): PropertyDecorator {
  return checked(
    'areStatuses',
    `must be one or several of ${known.join(', ')}, separated by commas`,
    (value) => typeof value === 'string' && value.split(',').every((status) => known.includes(status)),
  );
}

/** Labels that runs must have, each `name` or `name=value`. */
export function AreLabelFilters(): PropertyDecorator {
  return checked(
    'areLabelFilters',
    `must be at most ${MOST_LABELS} labels, each its name or name=value, where a name has a to z first, then also 0 to 9, \`_\`, \`.\` and \`-\``,
    (value) =>
      Array.isArray(value) && value.length > 0 && value.length <= MOST_LABELS && value.every(isLabelFilter),
  );
}

function isLabelFilter(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const { key, value } = labelFilterIn(text);
  return LABEL_KEY.test(key) && (value === null || labelValueProblem(value) === null);
}

/** A rule of one field, with what it says. */
export function checked(
  name: string,
  message: string,
  isRight: (value: unknown) => boolean,
): PropertyDecorator {
  const options: ValidationOptions = { message };
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options,
      validator: { validate: isRight },
    });
}
