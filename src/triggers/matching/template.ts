import type { ErrorDetail } from '../../core/errors/problems.js';
import { MISSING, pathProblem, valueAt } from './data-path.js';

/** `{{event.data.<path>}}`, and anything that looks meant to be one. Other text in double braces is just text. */
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

/** As much as a request can give a run. */
const MOST_RENDERED = 1_048_576;

/** What a template takes from an event is more than a run can be given. */
export class InputsTooLarge extends Error {
  constructor() {
    super('the inputs that the trigger makes of this event are larger than 1 MiB');
  }
}

/**
 * The inputs of a run. A placeholder that is the whole text takes the value with its type; within a text it is the value as
 * text. Where the event has no value, a field is left out, an item of a list is null, and a text gets nothing there.
 *
 * @throws InputsTooLarge before they are built: a short template can take the same large value a thousand times
 */
export function renderInputs(inputs: Record<string, unknown>, data: unknown): Record<string, unknown> {
  const source = new EventSource(data);
  return renderFields(inputs, source);
}

/** The same for a run that no request waits for: instead of throwing, it says why the run fails. */
export function rendered(inputs: Record<string, unknown>, data: unknown): Rendered {
  try {
    return { inputs: renderInputs(inputs, data), problem: null };
  } catch (error) {
    if (!(error instanceof InputsTooLarge)) throw error;
    return { inputs: {}, problem: error.message };
  }
}

export interface Rendered {
  inputs: Record<string, unknown>;
  problem: string | null;
}

/** Takes values from an event, up to the size that a run can be given. */
class EventSource {
  private readonly sizes = new Map<string, number>();
  private left = MOST_RENDERED;

  constructor(private readonly data: unknown) {}

  take(expression: string): unknown {
    const path = pathOf(expression);
    const value = valueAt(this.data, path);
    if (value === MISSING) return value;
    let size = this.sizes.get(path);
    if (size === undefined) this.sizes.set(path, (size = JSON.stringify(value).length));
    this.left -= size;
    if (this.left < 0) throw new InputsTooLarge();
    return value;
  }
}

function render(value: unknown, source: EventSource): unknown {
  if (typeof value === 'string') return renderText(value, source);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return renderFields(value, source);
  return value.map((item) => {
    const rendered = render(item, source);
    return rendered === MISSING ? null : rendered;
  });
}

function renderFields(fields: object, source: EventSource): Record<string, unknown> {
  const rendered = Object.entries(fields).map(([name, value]) => [name, render(value, source)] as const);
  return Object.fromEntries(rendered.filter(([, value]) => value !== MISSING));
}

function renderText(text: string, source: EventSource): unknown {
  const alone = LONE_PLACEHOLDER.exec(text);
  if (alone) return source.take(alone[1]!);
  return text.replaceAll(PLACEHOLDER, (_, expression: string) => inText(source.take(expression)));
}

function inText(value: unknown): string {
  if (value === MISSING) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pathOf(expression: string): string {
  return expression.slice(PREFIX.length).trimEnd();
}
