/** How a text is written where some of its characters mean something else: in URLs, in JSON, in HTML. */

/** By the escapes of browsers, of stricter and of older libraries, and of HTML forms; hexadecimal digits of either case. */
export function urlSpellings(text: string): string[] {
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
  return distinct(spellings.flatMap((one) => [one, one.replace(/%[0-9A-F]{2}/g, lowerCase)]));
}

/** Escaped once, and twice for JSON within JSON. */
export function jsonSpellings(text: string): string[] {
  const once = JSON.stringify(text).slice(1, -1);
  return distinct([once, JSON.stringify(once).slice(1, -1)].flatMap(jsonEscapes));
}

function jsonEscapes(plain: string): string[] {
  const escaped = (pattern: RegExp): string =>
    plain.replace(pattern, (character) => unicodeEscape(character));
  // As Python writes it, and as Go does, which also keeps HTML safe.
  const spellings = [
    plain,
    escaped(/[\u0080-\uffff]/g),
    escaped(/[<>&\u2028\u2029]/g),
    escaped(/[<>&'\u0080-\uffff]/g),
  ];
  const slashed = distinct(spellings.flatMap((one) => [one, one.replace(/\//g, '\\/')]));
  return slashed.flatMap((one) => [
    one,
    one.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
  ]);
}

const MARKUP = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** What libraries make of the other characters; each of them leaves alone what it does not name. */
const HTML_STYLES: Readonly<Record<string, string>>[] = [
  // Only what opens tags and references, as serializers write text between tags.
  {},
  { '"': '&quot;' },
  // Python, Django.
  { '"': '&quot;', "'": '&#x27;' },
  // Rails, lodash, Express.
  { '"': '&quot;', "'": '&#39;' },
  // PHP.
  { '"': '&quot;', "'": '&#039;' },
  // XML.
  { '"': '&quot;', "'": '&apos;' },
  // Go, Jinja.
  { '"': '&#34;', "'": '&#39;' },
  // Go's templates.
  { '"': '&#34;', "'": '&#39;', '+': '&#43;' },
  // Underscore.
  { '"': '&quot;', "'": '&#x27;', '`': '&#x60;' },
  // Handlebars.
  { '"': '&quot;', "'": '&#x27;', '`': '&#x60;', '=': '&#x3D;' },
  // Mustache.
  { '"': '&quot;', "'": '&#39;', '`': '&#x60;', '=': '&#x3D;', '/': '&#x2F;' },
  // As the OWASP recommends.
  { '"': '&quot;', "'": '&#x27;', '/': '&#x2F;' },
];

/** As templates of common languages and browsers write it, other than ASCII as it is or by number. */
export function htmlSpellings(text: string): string[] {
  const styles = distinct(HTML_STYLES.map((style) => htmlEscape(text, style)));
  return distinct(
    styles.flatMap((one) => [
      one,
      one.replace(/[\u0080-\u{10ffff}]/gu, (character) => `&#${character.codePointAt(0)};`),
      one.replace(/[\u0080-\u{10ffff}]/gu, (character) => `&#x${character.codePointAt(0)!.toString(16)};`),
    ]),
  );
}

/** The one spelling of each kind that most programs write, for values where all would be too many. */
export function commonSpellings(text: string): string[] {
  return distinct([
    encodeURIComponent(text.toWellFormed()),
    JSON.stringify(text).slice(1, -1),
    htmlEscape(text, { '"': '&quot;', "'": '&#x27;' }),
  ]);
}

function htmlEscape(text: string, style: Readonly<Record<string, string>>): string {
  const references: Readonly<Record<string, string>> = { ...MARKUP, ...style };
  return text.replace(/[^\p{L}\p{N}]/gu, (character) => references[character] ?? character);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
