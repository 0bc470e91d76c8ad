/** The response is not one of HTTP/1.1, or not one that can be read safely. */
export class MalformedResponse extends Error {
  constructor(
    /** A clause, such as "its status line is malformed". */
    readonly reason: string,
  ) {
    super(`the response cannot be read: ${reason}`);
    this.name = new.target.name;
  }
}

export interface ResponseLimits {
  /** Bytes of the body that are kept, its first ones. */
  kept: number;
  /** Bytes of the body that are read; a longer one is cut, and counts as complete. */
  most: number;
}

const MOST_HEAD_BYTES = 16_384;
const MOST_LINE_BYTES = 1_024;
/** What interim responses, sizes of chunks and trailers may come to, beside a body. */
const MOST_OVERHEAD = 16;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\0]*)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):([^\0]*)$/;
const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;

type Framing = 'head' | 'length' | 'close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'complete';

/**
 * Reads the response to one request from bytes as they come. It is strict where lenient readers disagree (RFC 9112, 11): what
 * is ambiguous is refused, or the connection is not used again.
 */
export class ResponseReader {
  status = 0;
  /** Header names in lower case; of several of one name, the first. */
  readonly headers = new Map<string, string>();
  /** The beginning of the body. */
  readonly kept: Buffer[] = [];
  private framing: Framing = 'head';
  private pending: Buffer | null = null;
  private left = 0;
  private bodyBytes = 0;
  private received = 0;
  private keepsAlive = true;

  constructor(private readonly limits: ResponseLimits) {}

  /** @throws MalformedResponse */
  push(chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > MOST_HEAD_BYTES + MOST_OVERHEAD * this.limits.most) return this.cut();
    let rest: Buffer | null = this.pending ? Buffer.concat([this.pending, chunk]) : chunk;
    this.pending = null;
    while (rest !== null && rest.length > 0) rest = this.step(rest);
  }

  /** The connection has ended: that is how some responses say that they are complete. */
  end(): void {
    if (this.framing === 'close') this.framing = 'complete';
    this.keepsAlive = false;
  }

  get isComplete(): boolean {
    return this.framing === 'complete';
  }

  /** Whether the status is known. */
  get hasHead(): boolean {
    return this.framing !== 'head';
  }

  /** Whether another request may be sent on the same connection. */
  get isReusable(): boolean {
    return this.isComplete && this.keepsAlive;
  }

  /** Reads one part of the bytes and returns what is left of them; null when more are needed. */
  private step(bytes: Buffer): Buffer | null {
    switch (this.framing) {
      case 'head':
        return this.readHead(bytes);
      case 'length':
        return this.readBody(bytes, 'complete');
      case 'chunk':
        return this.readBody(bytes, 'chunk-end');
      case 'close':
        this.keep(bytes);
        return null;
      case 'chunk-size':
        return this.readLine(bytes, (line) => this.beginChunk(line));
      case 'chunk-end':
        return this.readLine(bytes, (line) => {
          if (line !== '') throw new MalformedResponse('a chunk is longer than it says');
          this.framing = 'chunk-size';
        });
      case 'trailers':
        return this.readLine(bytes, (line) => {
          if (line === '') this.framing = 'complete';
        });
      case 'complete':
        // These bytes belong to no request, so the connection is not used again.
        this.keepsAlive = false;
        return null;
    }
  }

  private readHead(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(END_OF_HEAD);
    if (end > MOST_HEAD_BYTES || (end < 0 && bytes.length > MOST_HEAD_BYTES)) {
      throw new MalformedResponse('its headers are too long');
    }
    if (end < 0) {
      if (!'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))) {
        throw new MalformedResponse('it is not HTTP');
      }
      this.pending = bytes;
      return null;
    }
    const lines = bytes.toString('latin1', 0, end).split('\r\n');
    const [, version, status] = STATUS_LINE.exec(lines[0]!) ?? [];
    if (version === undefined) throw new MalformedResponse('it is not HTTP');
    const rest = bytes.subarray(end + END_OF_HEAD.length);
    if (status === '101') throw new MalformedResponse('it switches to another protocol');
    // Interim responses come before the one that counts.
    if (status!.startsWith('1')) return rest;
    this.status = Number(status);
    this.readHeaders(lines, version);
    return rest;
  }

  private readHeaders(lines: readonly string[], version: string): void {
    let length: string | null = null;
    for (let index = 1; index < lines.length; index++) {
      const line = lines[index]!;
      const [, name, padded] = HEADER_LINE.exec(line) ?? [];
      if (name === undefined || padded === undefined || /[\r\n]/.test(line)) {
        throw new MalformedResponse('a header is malformed');
      }
      const value = unpadded(padded);
      const key = name.toLowerCase();
      if (key === 'content-length') {
        if (!/^\d{1,15}$/.test(value) || (length !== null && length !== value)) {
          throw new MalformedResponse('its length is malformed');
        }
        length = value;
      } else if (key === 'transfer-encoding' && this.headers.has(key)) {
        throw new MalformedResponse('it names its transfer encoding twice');
      }
      if (!this.headers.has(key)) this.headers.set(key, value);
    }
    const connection = this.headers.get('connection')?.toLowerCase();
    this.keepsAlive = version === '1' ? !connection?.includes('close') : connection === 'keep-alive';
    this.frame(length);
  }

  private frame(length: string | null): void {
    const coding = this.headers.get('transfer-encoding');
    if (this.status === 204 || this.status === 304) this.framing = 'complete';
    else if (coding !== undefined) {
      if (coding.toLowerCase() !== 'chunked') throw new MalformedResponse('its transfer encoding is unknown');
      // Two readers may disagree on where such a response ends, which is how responses are smuggled.
      if (length !== null) this.keepsAlive = false;
      this.framing = 'chunk-size';
    } else if (length !== null) {
      this.left = Number(length);
      this.framing = this.left === 0 ? 'complete' : 'length';
    } else {
      this.keepsAlive = false;
      this.framing = 'close';
    }
  }

  private beginChunk(line: string): void {
    const size = CHUNK_SIZE.exec(line)?.[1];
    if (size === undefined) throw new MalformedResponse('a chunk has no size');
    this.left = parseInt(size, 16);
    this.framing = this.left === 0 ? 'trailers' : 'chunk';
  }

  private readBody(bytes: Buffer, next: Framing): Buffer | null {
    const part = bytes.subarray(0, this.left);
    this.left -= part.length;
    this.framing = this.left === 0 ? next : this.framing;
    this.keep(part);
    return bytes.subarray(part.length);
  }

  private readLine(bytes: Buffer, use: (line: string) => void): Buffer | null {
    const end = bytes.indexOf('\r\n');
    if (end > MOST_LINE_BYTES || (end < 0 && bytes.length > MOST_LINE_BYTES)) {
      throw new MalformedResponse('a line between its chunks is too long');
    }
    if (end < 0) {
      this.pending = bytes;
      return null;
    }
    use(bytes.toString('latin1', 0, end));
    return bytes.subarray(end + 2);
  }

  private keep(part: Buffer): void {
    const room = this.limits.kept - Math.min(this.bodyBytes, this.limits.kept);
    if (room > 0) this.kept.push(part.subarray(0, room));
    this.bodyBytes += part.length;
    if (this.bodyBytes > this.limits.most) this.cut();
  }

  private cut(): void {
    if (!this.hasHead) throw new MalformedResponse('its headers are too long');
    this.framing = 'complete';
    this.keepsAlive = false;
  }
}

/** Without the blanks and tabs at both ends. */
function unpadded(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isPadding(text[start])) start += 1;
  while (end > start && isPadding(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isPadding(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
