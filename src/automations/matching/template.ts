import type { ErrorDetail } from '../../core/errors/index.js';
import { pathProblem } from './data-path.js';

const MOST_CHARACTERS = 65_536;

interface PlaceholderWords {
  /** What stands behind the braces, such as `event`. Other text in double braces is just text. */
  word: string;
  /** What stands before each path, such as `event.data.`. */
  prefix: string;
  /** What inputs are made by and of, for the sentence that they are too large. */
  maker: string;
  /** The only first steps of paths; left out: any. */
  roots?: readonly string[];
}

/** `{{event.data.<path>}}` or the like: how inputs take values from what happened. */
export class Placeholders {
  /** Each one, and anything that looks meant to be one; its group is the expression. */
  readonly all: RegExp;
  /** One that is the whole text. */
  readonly alone: RegExp;
  readonly maker: string;
  private readonly opening: RegExp;

  constructor(private readonly words: PlaceholderWords) {
    const expression = `(${words.word}(?![\\w-])[^{}]*)`;
    this.all = new RegExp(`\\{\\{\\s*${expression}\\}\\}`, 'g');
    this.alone = new RegExp(`^\\{\\{\\s*${expression}\\}\\}$`);
    this.opening = new RegExp(`\\{\\{\\s*${words.word}(?![\\w-])`, 'g');
    this.maker = words.maker;
  }

  /** What is wrong with the templates of inputs as sent, each with its place, such as `inputs.who.name`. */
  problems(inputs: Record<string, unknown>): ErrorDetail[] {
    if (JSON.stringify(inputs).length > MOST_CHARACTERS) {
      return [{ path: 'inputs', message: `is longer than ${MOST_CHARACTERS} characters` }];
    }
    return this.problemsIn(inputs, 'inputs');
  }

  /** The path that a placeholder names, of its expression. */
  pathOf(expression: string): string {
    return expression.slice(this.words.prefix.length).trimEnd();
  }

  /** Whether a value takes anything from what happened. */
  areIn(value: unknown): boolean {
    if (typeof value === 'string') return value.search(this.all) !== -1;
    return (
      typeof value === 'object' && value !== null && Object.values(value).some((item) => this.areIn(item))
    );
  }

  /** Why nothing can be at a path, or null. */
  pathProblem(path: string): string | null {
    const { roots } = this.words;
    const problem = pathProblem(path);
    if (problem !== null || !roots || roots.includes(path.split('.')[0]!)) return problem;
    return `must begin with ${roots.slice(0, -1).join(', ')} or ${roots.at(-1)!}`;
  }

  private problemsIn(value: unknown, path: string): ErrorDetail[] {
    if (typeof value === 'string') {
      const message = this.textProblem(value);
      return message === null ? [] : [{ path, message }];
    }
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, item]) => this.problemsIn(item, `${path}.${name}`));
  }

  private textProblem(text: string): string | null {
    const { word, prefix } = this.words;
    const placeholders = [...text.matchAll(this.all)];
    if (placeholders.length < [...text.matchAll(this.opening)].length) {
      return `has a {{${word}… that is not closed by }}`;
    }
    for (const [whole, expression] of placeholders) {
      if (!expression!.startsWith(prefix)) {
        return `has ${whole}; only {{${prefix}<path>}} takes a value from the ${word}`;
      }
      const problem = this.pathProblem(this.pathOf(expression!));
      if (problem !== null) return `has ${whole}: the part behind ${prefix} ${problem}`;
    }
    return null;
  }
}
