import { commonSpellings, htmlSpellings, jsonSpellings, urlSpellings } from './text-escapes.js';

const MIN_CHARACTERS = 6;
/** Longer values are looked for in fewer spellings: all of them would be more than may be searched for. */
const LONG_BYTES = 4096;
/** Base64 characters at the start that hold bits of what stands before the value, by alignment. */
const FOREIGN_CHARACTERS = [0, 2, 3];

/** Whether a value is long enough to be looked for: shorter ones would blot out ordinary text. */
export function isMaskable(value: string): boolean {
  return value.length >= 2 * MIN_CHARACTERS || [...value].length >= MIN_CHARACTERS;
}

/**
 * The byte strings under which a secret value may show up: as it is, in base64 or hexadecimal, escaped for URLs, JSON or
 * HTML. A value of several lines also shows up line by line.
 *
 * @returns each once; none for a value that is too short
 */
export function secretForms(value: string): Buffer[] {
  if (!isMaskable(value)) return [];
  const lines = value.split(/\r?\n/).filter((line) => line !== value && isMaskable(line));
  const bytes = [Buffer.from(value), ...headerForm(value)];
  const isLong = bytes[0]!.length > LONG_BYTES;
  const texts = isLong
    ? [value, ...lines, ...commonSpellings(value)]
    : [value, ...lines].flatMap((text) => [
        text,
        ...urlSpellings(text),
        ...jsonSpellings(text),
        ...htmlSpellings(text),
      ]);
  const encoded = (isLong ? bytes.slice(0, 1) : bytes).flatMap((one) => [
    ...base64Forms(one),
    ...hexForms(one),
  ]);
  const forms = [...[...new Set(texts)].map((text) => Buffer.from(text)), ...bytes, ...encoded];
  return [...new Map(forms.map((form) => [form.toString('latin1'), form])).values()];
}

/** HTTP headers carry one byte for each character. */
function headerForm(value: string): Buffer[] {
  return /[\x80-\xff]/.test(value) && /^[\0-\xff]*$/.test(value) ? [Buffer.from(value, 'latin1')] : [];
}

/** What is sure to be in the base64 of any text that holds the bytes, wherever in it they begin. */
function base64Forms(bytes: Buffer): Buffer[] {
  const cores = FOREIGN_CHARACTERS.map((foreign, before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return encoded.slice(foreign, Math.floor(((before + bytes.length) * 8) / 6));
  });
  const urlSafe = cores.map((core) => core.replace(/\+/g, '-').replace(/\//g, '_'));
  return [...cores, ...urlSafe].map((core) => Buffer.from(core));
}

function hexForms(bytes: Buffer): Buffer[] {
  const hex = bytes.toString('hex');
  return [Buffer.from(hex), Buffer.from(hex.toUpperCase())];
}
