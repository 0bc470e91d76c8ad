/** One regular file of a tar archive. */
export interface TarFile {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  executable: boolean;
}

/** What the service takes as a version's files, before they are packed. */
export const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;

const BLOCK = 512;
const MAX_NAME = 100;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Packs files as POSIX tar. The same files give the same bytes: no times, no owners. Paths that a header has no room for
 * get an extended one; the first entry is the folder itself, so that a lone folder in it is not taken for a wrapper.
 */
export function tarOf(files: TarFile[]): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = [header({ name: './', size: 0, mode: '755', type: '5' })];
  for (const { path, bytes, executable } of files) {
    const name = `./${path}`;
    const long = encoder.encode(name).length > MAX_NAME;
    if (long) blocks.push(...extended(name));
    blocks.push(
      header({
        name: long ? 'long' : name,
        size: bytes.length,
        mode: executable ? '755' : '644',
        type: '0',
      }),
      bytes,
      padding(bytes.length),
    );
  }
  blocks.push(new Uint8Array(2 * BLOCK));
  return joined(blocks);
}

interface Header {
  name: string;
  size: number;
  mode: string;
  type: string;
}

function header({ name, size, mode, type }: Header): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const write = (text: string, at: number): void => block.set(encoder.encode(text), at);
  write(name, 0);
  write(mode.padStart(7, '0'), 100);
  write('0000000', 108);
  write('0000000', 116);
  write(size.toString(8).padStart(11, '0'), 124);
  write('00000000000', 136);
  write('        ', 148);
  write(type, 156);
  write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return block;
}

/** A record says its own length first, its digits counted in. */
function extended(path: string): Uint8Array[] {
  const rest = ` path=${path}\n`;
  const restLength = encoder.encode(rest).length;
  let length = restLength + String(restLength).length;
  if (String(length).length > String(restLength).length) length += 1;
  const record = encoder.encode(`${length}${rest}`);
  return [
    header({ name: 'path', size: record.length, mode: '644', type: 'x' }),
    record,
    padding(record.length),
  ];
}

function padding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export interface Unpacked {
  files: TarFile[];
  /** Whether it was made of a folder's content (`./…`), so that a lone folder in it is no wrapper. */
  rootNamed: boolean;
  /** The paths of what is no regular file: links, which a draft cannot hold. */
  leftOut: string[];
}

/** @throws Error where the bytes are no tar archive */
export function filesOfTar(bytes: Uint8Array<ArrayBuffer>): Unpacked {
  const files: TarFile[] = [];
  const leftOut: string[] = [];
  let rootNamed = false;
  let named: string | null = null;
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const block = bytes.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) break;
    checkSum(block);
    const size = numberAt(block, 124, 12);
    const type = String.fromCharCode(block[156] ?? 0);
    const content = bytes.slice(at + BLOCK, at + BLOCK + size);
    if (content.length < size) throw new Error('The archive ends in the middle of a file.');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x') named = pathOfRecords(content) ?? named;
    else if (type === 'L') named = textUpToNul(content);
    else if (type !== 'g' && type !== 'K') {
      const name = named ?? nameOf(block);
      rootNamed ||= name.startsWith('./');
      const path = name.split('/').filter((step) => step !== '' && step !== '.');
      named = null;
      if (path.length === 0 || type === '5') continue;
      if (type === '0' || type === '\u0000' || type === '7') {
        files.push({
          path: path.join('/'),
          bytes: content,
          executable: (numberAt(block, 100, 8) & 0o100) > 0,
        });
      } else leftOut.push(path.join('/'));
    }
  }
  return { files, rootNamed, leftOut };
}

function nameOf(block: Uint8Array): string {
  const name = textUpToNul(block.subarray(0, MAX_NAME));
  const isPosix = decoder.decode(block.subarray(257, 263)) === 'ustar\u0000';
  const prefix = isPosix ? textUpToNul(block.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function pathOfRecords(content: Uint8Array): string | null {
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const length = Number(decoder.decode(content.subarray(at, space)));
    if (space < 0 || !(length > 0)) break;
    const record = decoder.decode(content.subarray(space + 1, at + length - 1));
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return null;
}

function checkSum(block: Uint8Array): void {
  const told = numberAt(block, 148, 8);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (told !== sum) throw new Error('This is not a .tar.gz archive, or it is damaged.');
}

function numberAt(block: Uint8Array, at: number, length: number): number {
  const value = parseInt(textUpToNul(block.subarray(at, at + length)).trim() || '0', 8);
  if (Number.isNaN(value)) throw new Error('This is not a .tar.gz archive, or it is damaged.');
  return value;
}

function textUpToNul(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}
