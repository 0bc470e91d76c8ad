import type { ErrorDetail } from '../../core/http/errors.js';
import { MISSING, pathProblem, valueAt } from './data-path.js';

/** `{{event.data.<path>}}`, and whatever else was meant to be one. Other text in double braces is just text. */
const PLACEHOLDER = /\{\{\s*(event(?![\w-])[^{}]*)\}\}/g;
const LONE_PLACEHOLDER = /^\{\{\s*(event(?![\w-])[^{}]*)\}\}$/;
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

/** Whether a value takes anything from an event. */
export function isTemplated(value: unknown): boolean {
  if (typeof value === 'string') return value.search(PLACEHOLDER) !== -1;
  return typeof value === 'object' && value !== null && Object.values(value).some(isTemplated);
}

/**
 * The inputs of a run: what stands alone keeps its type, within a text it is its string. Where the event has nothing, a
 * field is left out, an item of a list is null, and a text has nothing in that place.
 */
export function renderInputs(inputs: Record<string, unknown>, data: unknown): Record<string, unknown> {
  return renderFields(inputs, data);
}

function render(value: unknown, data: unknown): unknown {
  if (typeof value === 'string') return renderText(value, data);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return renderFields(value, data);
  return value.map((item) => {
    const rendered = render(item, data);
    return rendered === MISSING ? null : rendered;
  });
}

function renderFields(fields: object, data: unknown): Record<string, unknown> {
  const rendered = Object.entries(fields).map(([name, value]) => [name, render(value, data)] as const);
  return Object.fromEntries(rendered.filter(([, value]) => value !== MISSING));
}

function renderText(text: string, data: unknown): unknown {
  const alone = LONE_PLACEHOLDER.exec(text);
  if (alone) return taken(alone[1]!, data);
  return text.replaceAll(PLACEHOLDER, (_, expression: string) => inText(taken(expression, data)));
}

function taken(expression: string, data: unknown): unknown {
  return valueAt(data, pathOf(expression));
}

function pathOf(expression: string): string {
  return expression.slice(PREFIX.length).trimEnd();
}

function inText(value: unknown): string {
  if (value === MISSING) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
