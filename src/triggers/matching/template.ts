import type { ErrorDetail } from '../../core/errors/index.js';
import { pathProblem } from './data-path.js';

/** `{{event.data.<path>}}`, and anything that looks meant to be one. Other text in double braces is just text. */
export const PLACEHOLDER = /\{\{\s*(event(?![\w-])[^{}]*)\}\}/g;
export const LONE_PLACEHOLDER = /^\{\{\s*(event(?![\w-])[^{}]*)\}\}$/;
const OPENING = /\{\{\s*event(?![\w-])/g;
const PREFIX = 'event.data.';
const MOST_CHARACTERS = 65_536;

/** What is wrong with the templates of inputs as sent, each with its place, such as `inputs.who.name`. */
export function templateProblems(inputs: Record<string, unknown>): ErrorDetail[] {
  if (JSON.stringify(inputs).length > MOST_CHARACTERS) {
    return [{ path: 'inputs', message: `is longer than ${MOST_CHARACTERS} characters` }];
  }
  return problemsIn(inputs, 'inputs');
}

function problemsIn(value: unknown, path: string): ErrorDetail[] {
  if (typeof value === 'string') {
    const message = textProblem(value);
    return message === null ? [] : [{ path, message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => problemsIn(item, `${path}.${name}`));
}

function textProblem(text: string): string | null {
  const placeholders = [...text.matchAll(PLACEHOLDER)];
  if (placeholders.length < [...text.matchAll(OPENING)].length) {
    return 'has a {{event… that is not closed by }}';
  }
  for (const [whole, expression] of placeholders) {
    if (!expression!.startsWith(PREFIX)) {
      return `has ${whole}; only {{event.data.<path>}} takes a value from the event`;
    }
    const problem = pathProblem(pathOf(expression!));
    if (problem !== null) return `has ${whole}: the part behind event.data. ${problem}`;
  }
  return null;
}

/** The path that a placeholder names, as `PLACEHOLDER` has found it. */
export function pathOf(expression: string): string {
  return expression.slice(PREFIX.length).trimEnd();
}

/** Whether a value takes anything from an event. */
export function isTemplated(value: unknown): boolean {
  if (typeof value === 'string') return value.search(PLACEHOLDER) !== -1;
  return typeof value === 'object' && value !== null && Object.values(value).some(isTemplated);
}
