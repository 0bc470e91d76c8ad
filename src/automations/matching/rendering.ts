import { MISSING, valueAt } from './data-path.js';
import type { Placeholders } from './template.js';

/** As much as a request can give a run. */
const MOST_BYTES = 1_048_576;

export interface Rendered {
  inputs: Record<string, unknown>;
  /** Why the run fails, or null. */
  problem: string | null;
}

/**
 * The inputs that a trigger makes of an event, or a hook of a request. A placeholder that is the whole text takes the value with its type;
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
    private readonly placeholders: Placeholders,
  ) {
    const bytes = new DataSizes(data, placeholders).of(inputs);
    this.isTooLarge = bytes > MOST_BYTES;
    this.bytes = this.isTooLarge ? 0 : bytes;
  }

  /** For a run that no request waits for: it says what is wrong instead of throwing. */
  make(): Rendered {
    if (this.isTooLarge) {
      return { inputs: {}, problem: `the inputs that ${this.placeholders.maker} are larger than 1 MiB` };
    }
    return { inputs: this.renderFields(this.inputs), problem: null };
  }

  private render(value: unknown): unknown {
    if (typeof value === 'string') return this.renderText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) return this.renderFields(value);
    return value.map((item) => {
      const rendered = this.render(item);
      return rendered === MISSING ? null : rendered;
    });
  }

  private renderFields(fields: object): Record<string, unknown> {
    const rendered = Object.entries(fields).map(([name, value]) => [name, this.render(value)] as const);
    return Object.fromEntries(rendered.filter(([, value]) => value !== MISSING));
  }

  private renderText(text: string): unknown {
    const { placeholders, data } = this;
    const valueOf = (expression: string): unknown => valueAt(data, placeholders.pathOf(expression));
    const alone = placeholders.alone.exec(text);
    if (alone) return valueOf(alone[1]!);
    return text.replaceAll(placeholders.all, (_, expression: string) => inText(valueOf(expression)));
  }
}

/** How large inputs are, filled in. Once they are too large, nothing more is measured: a template can take large values of all depths. */
class DataSizes {
  private readonly known = new Map<string, number>();
  private bytes = 0;

  constructor(
    private readonly data: unknown,
    private readonly placeholders: Placeholders,
  ) {}

  of(inputs: unknown): number {
    this.add(inputs);
    return this.bytes;
  }

  private add(value: unknown): void {
    if (this.bytes > MOST_BYTES) return;
    if (typeof value === 'string') return this.addText(value);
    if (typeof value !== 'object' || value === null) {
      this.bytes += jsonBytes(value);
      return;
    }
    this.bytes += 2;
    for (const [name, item] of Object.entries(value)) {
      this.bytes += Array.isArray(value) ? 1 : jsonBytes(name) + 2;
      this.add(item);
    }
  }

  private addText(text: string): void {
    this.bytes += jsonBytes(text);
    for (const [whole, expression] of text.matchAll(this.placeholders.all)) {
      if (this.bytes > MOST_BYTES) return;
      this.bytes += this.at(this.placeholders.pathOf(expression!)) - withinText(whole);
    }
  }

  private at(path: string): number {
    let bytes = this.known.get(path);
    if (bytes === undefined) {
      bytes = withinText(inText(valueAt(this.data, path)));
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

function inText(value: unknown): string {
  if (value === MISSING) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
