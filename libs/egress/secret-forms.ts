const MIN_CHARACTERS = 6;
/** Base64 characters at the start that hold bits of what stands before the value, by alignment. */
const FOREIGN_CHARACTERS = [0, 2, 3];

/** Whether a value is long enough to be looked for: shorter ones would blot out ordinary text. */
export function isMaskable(value: string): boolean {
  return [...value].length >= MIN_CHARACTERS;
}

/**
 * The byte strings under which a secret value may show up: as it is, in base64, escaped for URLs or for JSON. A value
 * of several lines also shows up line by line.
 *
 * @returns none for a value that is too short
 */
export function secretForms(value: string): Buffer[] {
  if (!isMaskable(value)) return [];
  const lines = value.split(/\r?\n/).filter((line) => line !== value && isMaskable(line));
  const texts = [value, ...lines].flatMap((text) => [text, ...urlForms(text), ...jsonForms(text)]);
  const forms = [...texts.map((text) => Buffer.from(text)), ...headerForm(value), ...base64Forms(value)];
  return [...new Map(forms.map((form) => [form.toString('latin1'), form])).values()];
}

/** HTTP headers carry one byte for each character. */
function headerForm(value: string): Buffer[] {
  return /[\x80-\xff]/.test(value) && /^[\0-\xff]*$/.test(value) ? [Buffer.from(value, 'latin1')] : [];
}

function urlForms(text: string): string[] {
  const component = encodeURIComponent(text.toWellFormed());
  const strict = component.replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = strict.replace(/%20/g, '+');
  const spellings = [component, strict, form].flatMap((one) => [
    one,
    one.replace(/~/g, '%7E'),
    one.replace(/%2F/g, '/'),
  ]);
  return spellings.flatMap((one) => [one, one.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())]);
}

/** Escaped once, and twice for JSON within JSON. */
function jsonForms(text: string): string[] {
  const once = JSON.stringify(text).slice(1, -1);
  return [once, JSON.stringify(once).slice(1, -1)].flatMap(jsonSpellings);
}

function jsonSpellings(plain: string): string[] {
  const escaped = (pattern: RegExp): string =>
    plain.replace(pattern, (character) => unicodeEscape(character));
  // As Python writes it, and as Go does, which also keeps HTML safe.
  const spellings = [
    plain,
    escaped(/[\u0080-\uffff]/g),
    escaped(/[<>&\u2028\u2029]/g),
    escaped(/[<>&'\u0080-\uffff]/g),
  ];
  const slashed = spellings.flatMap((one) => [one, one.replace(/\//g, '\\/')]);
  return slashed.flatMap((one) => [
    one,
    one.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
  ]);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What is sure to be in the base64 of any text that holds the value, wherever in it the value begins. */
function base64Forms(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  const cores = FOREIGN_CHARACTERS.map((foreign, before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return encoded.slice(foreign, Math.floor(((before + bytes.length) * 8) / 6));
  });
  const urlSafe = cores.map((core) => core.replace(/\+/g, '-').replace(/\//g, '_'));
  return [...cores, ...urlSafe].map((core) => Buffer.from(core));
}
