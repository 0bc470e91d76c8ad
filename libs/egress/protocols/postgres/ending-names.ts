import { MAX_NAME_BYTES } from './lexer.js';

const MAX_NAMES = 64;
const ASCII = /^[\x01-\x7f]*$/;

/**
 * Which names of prepared statements, or of portals, may stand for what ends a transaction.
 *
 * A name stays one for good: what could not be given anew still stands for what it was. One that is not ASCII counts as
 * one always, as the server compares it in its own encoding.
 */
export class EndingNames {
  private readonly named = new Set<string>();
  private isUnnamed = false;
  /** Of the name '', as this group has it, where it has one. */
  private own: boolean | null = null;
  private anyOwn = false;
  /** Some name has been given that nobody has read. */
  private hasUnread = false;

  /** @param name null: it was not read */
  has(name: string | null): boolean {
    if (name === null) return true;
    const known = cut(name);
    if (known === '' && this.own !== null) return this.own;
    return this.hasUnread || (known === '' ? this.isUnnamed : this.named.has(known) || !ASCII.test(known));
  }

  /** @returns false where there are too many */
  give(name: string | null, ends: boolean): boolean {
    if (name === null) {
      this.hasUnread = true;
      this.own = null;
      return true;
    }
    const known = cut(name);
    if (known === '') {
      this.own = ends;
      this.anyOwn ||= ends;
    } else if (ends) {
      if (this.named.size >= MAX_NAMES && !this.named.has(known)) return false;
      this.named.add(known);
    }
    return true;
  }

  /** A group is over. @param hasFailed the server has skipped some of it, and nobody knows which */
  settle(hasFailed: boolean): void {
    if (hasFailed) this.isUnnamed ||= this.anyOwn;
    else if (this.own !== null) this.isUnnamed = this.own;
    this.own = null;
    this.anyOwn = false;
  }

  clear(): void {
    this.named.clear();
    this.isUnnamed = this.hasUnread = this.anyOwn = false;
    this.own = null;
  }
}

/** As much of a name as the server looks at. */
function cut(name: string): string {
  return name.slice(0, MAX_NAME_BYTES);
}
