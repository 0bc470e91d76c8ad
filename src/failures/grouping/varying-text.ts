/** What differs between failures that are the same, each with the word that stands for it. In this order. */
const VARYING: readonly [pattern: RegExp, word: string][] = [
  [/(?<!\w)'[^']*'(?!\w)|(?<!\w)"[^"]*"(?!\w)|`[^`]*`/g, '<value>'],
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>]+/gi, '<address>'],
  [/[\w.+-]{1,64}@[\w-][\w.-]*/g, '<address>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  [/(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?!\d)/g, '<address>'],
  [/(?<![\w.)<])~?(?:\/[\w.@+-]+)+\/?/g, '<path>'],
  [/\b(?=[a-z_-]*\d)\w{12,}\b/gi, '<id>'],
  [/\b(?:0x)?(?=[a-f]*\d)[0-9a-f]{7,}\b/gi, '<id>'],
  [/(?<![A-Za-z_\d])\d+(?:[.,:]\d+)*/g, '<n>'],
];

/** A text without numbers, ids, quoted values, addresses and paths. */
export function withoutVarying(text: string): string {
  return VARYING.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text);
}
