const NODE_VERSION = /^Node\.js v\d/;
const ERROR = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;

/** Remembers the line of standard error that says most about why a program ended. */
export class LastErrorLine {
  private last: string | null = null;
  private error: string | null = null;

  add(line: string): void {
    if (line.trim() === '') return;
    this.last = line;
    if (ERROR.test(line)) this.error = line;
  }

  /** The last line with text in it. Node prints its version last, so for Node it is the last line that names an error. */
  get text(): string | null {
    if (this.last === null) return null;
    const line =
      NODE_VERSION.test(this.last) && this.error !== null ? this.error.replace(/ \{$/, '') : this.last;
    return line.trim();
  }
}
