import { ScimProblem } from './scim-problem.js';

type Compared = string | number | boolean | null;

/** What a filter wants of an attribute. Names are in lower case, with a dot before the one inside of another. */
export interface Comparison {
  attribute: string;
  value: Compared;
}

/** What an operation changes: `emails[type eq "work"].value`. Names are in lower case. */
export interface PatchPath {
  attribute: string;
  /** Of which values; none: all of them. */
  where: Comparison[];
  sub: string | null;
}

const LONGEST = 2_000;
const MOST_COMPARISONS = 10;
/** Each character can be taken in one way only, so a text takes as long as it is long. */
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([[\]])|(\.?[a-z$][\w$.:-]*)|(-?\d{1,15}(?:\.\d{1,15})?))/isuy;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;
const TAKES = '`eq`, several of them joined by `and`';

/**
 * What directories ask: whether attributes are these values. Nothing else of the language of filters is taken.
 *
 * @throws ScimProblem (invalidFilter)
 */
export function parseFilter(text: string): Comparison[] {
  const reader = new Reader(text, 'invalidFilter');
  const found = reader.comparisons('', true);
  reader.end();
  return found;
}

/** @throws ScimProblem (invalidPath) */
export function parsePath(text: string): PatchPath {
  const reader = new Reader(text, 'invalidPath');
  const [attribute, inside] = namesIn(reader.word());
  const where = reader.takes('[') ? reader.comparisons('', false) : [];
  const sub = where.length > 0 ? reader.subAttribute() : inside;
  reader.end();
  return { attribute, where, sub };
}

/** `Name.familyName`: `name` and `familyname`. The URN of a schema of the standard is left out, others stay. */
function namesIn(word: string): [string, string | null] {
  const name = word.toLowerCase().replace(CORE, '');
  if (name.startsWith('urn:')) return [name, null];
  const [attribute = '', sub, ...rest] = name.split('.');
  return [attribute, sub === undefined ? null : [sub, ...rest].join('.')];
}

class Reader {
  private readonly tokens: string[];
  private at = 0;

  constructor(
    text: string,
    private readonly scimType: 'invalidFilter' | 'invalidPath',
  ) {
    if (text.length > LONGEST) this.fail(`is longer than ${LONGEST} characters`);
    this.tokens = this.tokensOf(text.trim());
  }

  /** @param open whether more may follow than what is in brackets */
  comparisons(within: string, open: boolean): Comparison[] {
    const found: Comparison[] = [];
    do {
      found.push(...this.comparison(within, open));
      if (found.length > MOST_COMPARISONS) this.fail(`has more than ${MOST_COMPARISONS} comparisons`);
    } while (this.takes('and'));
    if (!open && !this.takes(']')) this.fail(`takes ${TAKES}, and a closing bracket`);
    return found;
  }

  takes(token: string): boolean {
    if (this.tokens[this.at]?.toLowerCase() !== token) return false;
    this.at += 1;
    return true;
  }

  word(): string {
    const token = this.tokens[this.at];
    if (token === undefined || !/^[a-z$]/i.test(token)) this.fail('begins with no name of an attribute');
    this.at += 1;
    return token!;
  }

  /** What stands behind a bracket, if anything. */
  subAttribute(): string | null {
    const token = this.tokens[this.at];
    if (!token?.startsWith('.')) return null;
    this.at += 1;
    return token.slice(1).toLowerCase();
  }

  end(): void {
    if (this.at < this.tokens.length) this.fail(`takes ${TAKES}`);
  }

  private comparison(within: string, open: boolean): Comparison[] {
    const [name, sub] = namesIn(this.word());
    const attribute = `${within}${name}${sub === null ? '' : `.${sub}`}`;
    if (!open || !this.takes('[')) return [{ attribute, value: this.compared() }];
    const inner = this.comparisons(`${attribute}.`, false);
    const behind = this.subAttribute();
    return behind === null
      ? inner
      : [...inner, { attribute: `${attribute}.${behind}`, value: this.compared() }];
  }

  private compared(): Compared {
    if (!this.takes('eq')) this.fail(`takes ${TAKES}`);
    const token = this.tokens[this.at] ?? '';
    this.at += 1;
    if (/^(true|false|null)$/i.test(token)) return JSON.parse(token.toLowerCase()) as Compared;
    if (!/^["\d-]/.test(token)) this.fail('compares with no value');
    try {
      return JSON.parse(token) as Compared;
    } catch {
      return this.fail('has a text that is not one of JSON');
    }
  }

  private tokensOf(text: string): string[] {
    const tokens: string[] = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const match = TOKEN.exec(text);
      if (!match) this.fail(`takes ${TAKES}`);
      tokens.push(match![1] ?? match![2] ?? match![3] ?? match![4]!);
    }
    return tokens;
  }

  private fail(what: string): never {
    const subject = this.scimType === 'invalidFilter' ? 'The filter' : 'The path of an operation';
    throw new ScimProblem(this.scimType, `${subject} ${what}.`);
  }
}
