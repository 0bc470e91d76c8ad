import { StringDecoder } from 'node:string_decoder';

/** As much of the end of what an installation printed is kept. */
export const LOG_TAIL_BYTES = 16 * 1024;

/** Escape sequences for colours and cursors, and the control characters that are neither line break nor tab. */
const CONTROLS = /\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The end of a stream of text, whose beginning is forgotten. */
export class LogTail {
  private readonly decoders = new Map<string, StringDecoder>();
  private text = '';

  /** @param mask takes secrets out of the text before it is cut */
  constructor(private readonly mask: (text: string) => string = (text) => text) {}

  /** @param stream whose characters may be split over chunks */
  push(chunk: Buffer, stream: string): void {
    const decoder = this.decoders.get(stream) ?? new StringDecoder('utf8');
    this.decoders.set(stream, decoder);
    this.append(decoder.write(chunk));
  }

  /** A line of our own, which begins on a line of its own. */
  note(line: string): void {
    this.append(`${this.text === '' || this.text.endsWith('\n') ? '' : '\n'}${line}\n`);
  }

  /** At most 16 KiB of UTF-8. Cut at a line where there is one near. */
  toString(): string {
    const whole = this.mask(
      this.text
        .replace(/\r+(\n?)/g, (returns, end) => (end ? '\n' : '\n'.repeat(returns.length)))
        .replace(CONTROLS, '')
        .replace(LONE_SURROGATES, '\ufffd'),
    );
    const bytes = Buffer.from(whole);
    if (bytes.length <= LOG_TAIL_BYTES) return whole;
    let start = bytes.length - LOG_TAIL_BYTES;
    const line = bytes.indexOf('\n', start);
    if (line >= 0 && line - start < LOG_TAIL_BYTES / 2) start = line + 1;
    while ((bytes[start]! & 0xc0) === 0x80) start++;
    return bytes.toString('utf8', start);
  }

  private append(text: string): void {
    this.text += text;
    if (this.text.length > LOG_TAIL_BYTES * 4) this.text = this.text.slice(-LOG_TAIL_BYTES * 2);
  }
}
