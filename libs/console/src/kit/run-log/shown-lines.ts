import { LOCALE } from '../locale.js';

const FIRST = 2_000;
const LAST = 8_000;
/** Lines are taken out seldom, since everything that is known of their positions is found anew then. */
const MOST = 2 * (FIRST + LAST);

/** The lines of a log that are shown: as many as the service keeps, and for a while those that come live. */
export class ShownLines {
  /** Another list after lines were taken out. */
  texts: string[] = [];
  /** Of each line, counted from 1; they jump where lines are missing. */
  numbers: number[] = [];
  /** When each was printed, in milliseconds; null where that is not known. */
  times: (number | null)[] = [];

  add(number: number, text: string, time: number | null = null): void {
    this.texts.push(text);
    this.numbers.push(number);
    this.times.push(time);
    if (this.texts.length > MOST) this.takeOut();
  }

  /** The number of the newest line; 0: there is none. */
  get last(): number {
    return this.numbers.at(-1) ?? 0;
  }

  private takeOut(): void {
    const next = this.numbers.at(-LAST)!;
    const count = next - this.numbers[FIRST - 1]! - 1;
    const note = `[${count.toLocaleString(LOCALE)} lines are not shown here any more]`;
    this.texts = [...this.texts.slice(0, FIRST), note, ...this.texts.slice(-LAST)];
    this.numbers = [...this.numbers.slice(0, FIRST), next - 1, ...this.numbers.slice(-LAST)];
    this.times = [...this.times.slice(0, FIRST), null, ...this.times.slice(-LAST)];
  }
}
