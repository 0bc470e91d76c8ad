import { gzipSync } from 'node:zlib';

/** Kinds of entries by the letter that stands for them in a header. */
export const KINDS = {
  file: '0',
  link: '1',
  symlink: '2',
  'character device': '3',
  'block device': '4',
  directory: '5',
  fifo: '6',
  'contiguous file': '7',
  'GNU sparse file': 'S',
  'GNU long name': 'L',
  'GNU long link': 'K',
  'GNU volume': 'V',
  'GNU multi-volume': 'M',
  pax: 'x',
  'global pax': 'g',
} as const;

export interface TarEntry {
  /** Bytes of the name as they are written; a text stands for its UTF-8. */
  name: string | Buffer;
  kind?: keyof typeof KINDS;
  target?: string;
  content?: string | Buffer;
  /** What the header says of the size, where that is not the truth. */
  size?: number;
  mode?: number;
}

const BLOCK = 512;

/** One entry as no careful program would write it: nothing is checked. Source: POSIX.1-1988, `ustar`. */
export function tarEntry({
  name,
  kind = 'file',
  target = '',
  content = '',
  size,
  mode = 0o644,
}: TarEntry): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  Buffer.from(name).copy(header, 0, 0, 100);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size ?? body.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.fill(' ', 148, 156);
  header.write(KINDS[kind], 156);
  header.write(target, 157);
  header.write('ustar\x0000', 257);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return Buffer.concat([header, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
}

/** A pax header that gives the next entry other properties. */
export function paxEntry(properties: Record<string, string>, kind: 'pax' | 'global pax' = 'pax'): Buffer {
  const records = Object.entries(properties).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = Buffer.byteLength(rest);
    while (String(length).length + Buffer.byteLength(rest) !== length) {
      length = String(length).length + Buffer.byteLength(rest);
    }
    return `${length}${rest}`;
  });
  return tarEntry({ name: 'pax', kind, content: records.join('') });
}

const END = Buffer.alloc(2 * BLOCK);

/** The entries and a proper end, as a .tar.gz in base64. */
export const hostileArchive = (...entries: Buffer[]): string =>
  gzipSync(Buffer.concat([...entries, END]), { level: 1 }).toString('base64');
