import { extname } from 'node:path';

export const UNKNOWN_TYPE = 'application/octet-stream';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,127}";
const VALUE = `(?:${TOKEN}|"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[\\x20-\\x7e])*")`;
// Each blank has one place where it can match, so that no header makes this slow.
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})[ \\t]*(?:;[ \\t]*(?:${TOKEN}=${VALUE}[ \\t]*)?)*$`);

/** `type/subtype` of a Content-Type in lower case, without its parameters; null where it is not well-formed. */
export function mediaType(header: string): string | null {
  if (header.length > 1000) return null;
  return MEDIA_TYPE.exec(header.trim())?.[1]?.toLowerCase() ?? null;
}

const BY_EXTENSION: Record<string, string> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  log: 'text/plain',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  sqlite: 'application/vnd.sqlite3',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tgz: 'application/gzip',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
  zst: 'application/zstd',
};

/** The media type that the end of a name stands for. */
export function typeOfName(name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]! : UNKNOWN_TYPE;
}
