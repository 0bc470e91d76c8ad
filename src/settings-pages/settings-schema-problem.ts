import type { SettingsSchema } from './settings-page.js';

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const TYPES = ['string', 'integer', 'number', 'boolean'];
const FORMATS = ['email', 'uri', 'textarea'];
const MOST_FIELDS = 50;

/** By each word that a field may have, whether a value of it makes sense. */
const WORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => TYPES.includes(value as string),
  title: isText,
  description: isText,
  enum: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => isText(one) || typeof one === 'number'),
  default: (value) => ['string', 'number', 'boolean'].includes(typeof value),
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  minLength: Number.isInteger,
  maxLength: Number.isInteger,
  pattern: isPattern,
  format: (value) => FORMATS.includes(value as string),
  writeOnly: (value) => value === true,
};

/** What is wrong with the schema of a form, or null: it is one that the console can draw whole. */
export function settingsSchemaProblem(schema: unknown): string | null {
  const { type, properties, required = [], ...rest } = (schema ?? {}) as Partial<SettingsSchema>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `has a schema with "${unknown}", which forms do not know`;
  const fields = Object.entries(properties ?? {}) as [string, unknown][];
  if (type !== 'object' || fields.length === 0 || fields.length > MOST_FIELDS) {
    return `needs a schema of an object with 1 to ${MOST_FIELDS} properties`;
  }
  for (const [name, field] of fields) {
    const problem = fieldProblem(name, field);
    if (problem !== null) return `has a field "${name}" ${problem}`;
  }
  if (!Array.isArray(required)) return 'has a schema whose `required` is no list';
  const missing = required.find((name: string) => !properties![name] || properties![name].writeOnly);
  return missing === undefined ? null : `requires "${missing}", which is no field or is written only`;
}

function fieldProblem(name: string, field: unknown): string | null {
  if (!NAME.test(name)) return 'whose name is not a word of letters and digits';
  if (typeof field !== 'object' || field === null || !('type' in field)) return 'without a type';
  const wrong = Object.entries(field).find(
    ([word, value]) => !Object.hasOwn(WORDS, word) || !WORDS[word]!(value),
  );
  if (wrong) return `whose "${wrong[0]}" forms do not know`;
  return 'writeOnly' in field && field.type !== 'string' ? 'that is a secret and no text' : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** As the console reads it. */
function isPattern(value: unknown): boolean {
  try {
    return isText(value) && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
