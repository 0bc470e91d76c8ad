/** PostgreSQL's messages (version 3): a type of one byte, a length that counts itself, a body. */

export const HEADER_BYTES = 5;
const TYPE_BYTES = 1;

/** Types by their letter, as a number. */
export const TYPE = {
  authentication: 0x52, // R
  backendKey: 0x4b, // K
  copyBoth: 0x57, // W
  copyIn: 0x47, // G
  error: 0x45, // E
  negotiate: 0x76, // v
  notice: 0x4e, // N
  parameter: 0x53, // S
  password: 0x70, // p
  ready: 0x5a, // Z
} as const;

/** The status of a ReadyForQuery outside of a transaction. */
export const IDLE = 0x49; // I
/** In the place of a version, at the start of a connection. */
export const CANCEL_REQUEST = 80_877_102;
/** Of a cancel key (protocol 3.2). */
export const MAX_KEY_BYTES = 256;

export interface SqlError {
  /** FATAL ends the connection. */
  severity: 'ERROR' | 'FATAL';
  /** SQLSTATE. */
  code: string;
  /** A sentence. */
  message: string;
  /** What to do about it, a sentence. */
  hint?: string | undefined;
}

/** Ends a connection with an error that its client gets to read. */
export class Fatal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export function message(type: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type]), int32(body.length + 4), body]);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
}

export function cstring(text: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(text as string), Buffer.from([0])]);
}

export function query(text: string): Buffer {
  return message(0x51, cstring(text));
}

export function errorResponse({ severity, code, message: text, hint }: SqlError): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${text}`, ...(hint ? [`H${hint}`] : [])];
  return message(TYPE.error, ...fields.map(cstring), Buffer.from([0]));
}

/** Of an ErrorResponse's body, the SQLSTATE; null where it has none in the usual form. */
export function sqlStateOf(body: Buffer): string | null {
  const code = /(?:^|\0)C([0-9A-Z]{5})\0/.exec(body.toString('latin1'))?.[1];
  return code ?? null;
}

/** The body of a whole message. */
export function bodyOf(whole: Buffer): Buffer {
  return whole.subarray(HEADER_BYTES);
}

export function lengthAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at + TYPE_BYTES);
}

/** The bytes up to the next NUL. @returns null where there is none */
export function cstringAt(bytes: Buffer, at: number): Buffer | null {
  const end = bytes.indexOf(0, at);
  return end < 0 ? null : bytes.subarray(at, end);
}
