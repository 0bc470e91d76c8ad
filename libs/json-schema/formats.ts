import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** The longest text that a format's regular expression is tried on: some of them take quadratic time. */
const MAX_FORMAT_LENGTH = 4096;

const CHECKED = [
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration'],
  ...['email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
  ...['uri', 'uri-reference', 'uri-template', 'url'],
  ...['json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer', 'regex'],
] as const;

/** The format of an input that takes a file's id. */
export const FILE_FORMAT = 'file';

/** The formats that schemas may name. */
export const SCHEMA_FORMATS: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(CHECKED.map((name) => [name, bounded(fullFormats[name])])),
  int32: numeric(fullFormats.int32),
  int64: numeric(fullFormats.int64),
  float: true,
  double: true,
  // Hints for whoever shows a form; any text is valid.
  password: true,
  binary: true,
  byte: { type: 'string', validate: isBase64 },
  [FILE_FORMAT]: { type: 'string', validate: (text: string) => /^[A-Za-z0-9_-]{1,64}$/.test(text) },
};

function bounded(format: Format): Format {
  const test = tester(format);
  return {
    type: 'string',
    validate: (text: string) => text.length <= MAX_FORMAT_LENGTH && test(text),
  };
}

function tester(format: Format): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => Boolean(format(text));
  if (typeof format === 'object' && 'validate' in format) return tester(format.validate as Format);
  throw new Error('a format of an unknown shape');
}

function numeric(format: Format): Format {
  if (typeof format !== 'object' || !('validate' in format)) throw new Error('a format of an unknown shape');
  return { type: 'number', validate: format.validate as (value: number) => boolean };
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && Buffer.from(text, 'base64').toString('base64') === text;
}
