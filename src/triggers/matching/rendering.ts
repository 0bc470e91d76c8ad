import { MISSING, valueAt } from './data-path.js';
import { LONE_PLACEHOLDER, PLACEHOLDER, pathOf } from './template.js';

/** As much as a request can give a run. */
const MOST_BYTES = 1_048_576;

const TOO_LARGE = 'the inputs that the trigger makes of this event are larger than 1 MiB';

export interface Rendered {
  inputs: Record<string, unknown>;
  /** Why the run fails, or null. */
  problem: string | null;
}

/**
 * The inputs that a trigger makes of an event. A placeholder that is the whole text takes the value with its type;
 * within a text it is the value as text. Where the event has no value, a field is left out, an item of a list is null,
 * and a text gets nothing.
 */
export class Rendering {
  /** What the inputs take as JSON, or a little more. Known before they are made: a short template can take a large value often. */
  readonly bytes: number;
  private readonly isTooLarge: boolean;

  constructor(
    private readonly inputs: Record<string, unknown>,
    private readonly data: unknown,
  ) {
    const bytes = new EventSizes(data).of(inputs);
    this.isTooLarge = bytes > MOST_BYTES;
    this.bytes = this.isTooLarge ? 0 : bytes;
  }

  /** For a run that no request waits for: it says what is wrong instead of throwing. */
  make(): Rendered {
    if (this.isTooLarge) return { inputs: {}, problem: TOO_LARGE };
    return { inputs: renderFields(this.inputs, this.data), problem: null };
  }
}

/** How large the values of an event are, each measured once. */
class EventSizes {
  private readonly known = new Map<string, number>();

  constructor(private readonly data: unknown) {}

  /** Of a value of the inputs, filled in. */
  of(value: unknown): number {
    if (typeof value === 'string') return this.ofText(value);
    if (typeof value !== 'object' || value === null) return jsonBytes(value);
    let bytes = 2;
    for (const [name, item] of Object.entries(value)) {
      bytes += this.of(item) + 1;
      if (!Array.isArray(value)) bytes += jsonBytes(name) + 1;
    }
    return bytes;
  }

  private ofText(text: string): number {
    let bytes = jsonBytes(text);
    for (const [whole, expression] of text.matchAll(PLACEHOLDER)) {
      bytes += this.at(pathOf(expression!)) - withinText(whole);
    }
    return bytes;
  }

  private at(path: string): number {
    let bytes = this.known.get(path);
    if (bytes === undefined) {
      const value = valueAt(this.data, path);
      bytes = withinText(inText(value));
      this.known.set(path, bytes);
    }
    return bytes;
  }
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Without the quotes around it. */
function withinText(text: string): number {
  return jsonBytes(text) - 2;
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
  if (alone) return valueAt(data, pathOf(alone[1]!));
  return text.replaceAll(PLACEHOLDER, (_, expression: string) => inText(valueAt(data, pathOf(expression))));
}

function inText(value: unknown): string {
  if (value === MISSING) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
