import { cutText } from '../cut-text/index.js';
import { TokenBucket } from './token-bucket.js';

const BURST = 50;
const PER_SECOND = 2;
const MAX_HOST_LENGTH = 100;
const PLAIN = /^[\x21-\x7e]*$/;

/** Writes a line for each thing that went wrong at the gate, and only counts them while there are too many. */
export class GateLog {
  private readonly bucket = new TokenBucket(BURST, PER_SECOND);
  private suppressed = 0;
  private closed = false;

  constructor(private readonly write: (line: string) => void) {}

  refused(host: string | null, reason: string, what = 'request'): void {
    this.line(
      `gate: refused ${host === null ? 'a connection' : `a ${what} to ${printable(host)}`}: ${reason}`,
    );
  }

  failed(host: string, reason: string, what = 'request'): void {
    this.line(`gate: a ${what} to ${printable(host)} failed: ${reason}`);
  }

  note(host: string, text: string): void {
    this.line(`gate: ${printable(host)}: ${text}`);
  }

  /** Nothing is written afterwards. */
  close(): void {
    this.tellSuppressed();
    this.closed = true;
  }

  private line(text: string): void {
    if (this.closed) return;
    if (!this.bucket.take()) {
      this.suppressed += 1;
      return;
    }
    this.tellSuppressed();
    this.write(text);
  }

  private tellSuppressed(): void {
    if (this.suppressed > 0) this.write(`gate: ${this.suppressed} more lines were left out`);
    this.suppressed = 0;
  }
}

/** Names come from scripts, so they may hold anything. */
function printable(host: string): string {
  const short = cutText(host, MAX_HOST_LENGTH, '…');
  return PLAIN.test(host.slice(0, MAX_HOST_LENGTH)) ? short : JSON.stringify(short);
}
