import type { RequestBody } from '../http/transport.js';
import { localFile } from './local-file.js';

/**
 * What can be uploaded: a path or a `file:` URL (where there is a file system), bytes, or a stream of them. A stream can be
 * read once, so an upload of it is not tried again.
 */
export type UploadSource =
  string | URL | Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface UploadOptions {
  /** By default that of the file, or `file`. */
  name?: string;
  /** The media type. By default that of a `Blob`, or by the name's ending. */
  type?: string;
}

const UNKNOWN_TYPE = 'application/octet-stream';
/** Of files that people often give to scripts. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

export function uploadBody(
  source: UploadSource,
  options: UploadOptions,
): { name: string; bytes: RequestBody } {
  const name = options.name ?? nameOf(source);
  const type = options.type ?? ((source instanceof Blob && source.type) || typeOf(name));
  if (typeof source === 'string' || source instanceof URL) return { name, bytes: localFile(source, type) };
  const isStream = source instanceof ReadableStream || Symbol.asyncIterator in source;
  const open = (): BodyInit => (isStream ? streamOf(source) : source) as BodyInit;
  return { name, bytes: { open, repeatable: !isStream, type } };
}

function nameOf(source: UploadSource): string {
  if (source instanceof URL) return lastPart(decodeURIComponent(source.pathname));
  if (typeof source === 'string') return lastPart(source);
  return 'name' in source && typeof source.name === 'string' ? lastPart(source.name) : 'file';
}

const lastPart = (path: string): string => path.split(/[\\/]/).at(-1) || 'file';

function typeOf(name: string): string {
  return TYPES[name.split('.').at(-1)!.toLowerCase()] ?? UNKNOWN_TYPE;
}

function streamOf(
  source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  if (source instanceof ReadableStream) return source;
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      await chunks.return?.(reason);
    },
  });
}
