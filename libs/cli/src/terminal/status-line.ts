import { dim } from './colours.js';
import { plainText } from './plain-text.js';

/** One line that tells what goes on and is written over. Without a terminal there is none. */
export class StatusLine {
  private shown = '';

  show(text: string): void {
    if (!process.stderr.isTTY) return;
    const width = (process.stderr.columns || 80) - 1;
    this.shown = plainText(text.replace(/\s+/g, ' ')).slice(0, width);
    process.stderr.write(`\r\x1b[2K${dim(this.shown)}`);
  }

  /** Takes it away, so that a line can be written in its place. */
  clear(): void {
    if (this.shown === '') return;
    process.stderr.write('\r\x1b[2K');
    this.shown = '';
  }

  /** A line above it. */
  above(text: string): void {
    const { shown } = this;
    this.clear();
    process.stderr.write(`${text}\n`);
    if (shown !== '') this.show(shown);
  }
}
