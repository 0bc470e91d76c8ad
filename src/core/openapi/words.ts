/** Abbreviations that stay in capitals. */
const CAPITALS: Record<string, string> = { api: 'API', apis: 'APIs', id: 'ID', url: 'URL' };

/** A name from code in words: `ApiKeys` and `api-keys` are both «API keys». */
export function words(name: string): string {
  const text = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => CAPITALS[word.toLowerCase()] ?? word.toLowerCase())
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One of several: `teams` are many, `team` is one. */
export function singular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  return plural.endsWith('s') && !plural.endsWith('ss') ? plural.slice(0, -1) : plural;
}

/** The first sentence or line of its own, without its full stop, and what comes after it. */
export function firstSentence(text: string): { first: string; rest: string } {
  const flat = text.replace(/([^\n])\n(?!\n)/g, '$1 ').trim();
  const match = /^(.+?)(?:\.?\n+|\.\s+|\.?$)([\s\S]*)$/.exec(flat);
  return { first: match?.[1] ?? '', rest: match?.[2] ?? '' };
}
