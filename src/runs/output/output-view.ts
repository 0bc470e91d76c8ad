/** What a script may ask for its output to be shown as. */
export const OUTPUT_VIEWS = ['chart', 'markdown', 'table'] as const;
export type OutputView = (typeof OUTPUT_VIEWS)[number];

/** What a line begins with that may ask for a view. */
export const VIEW_PREFIX = '::view';

const LINE = /^::view[ \t]+([a-z]+)[ \t]*$/;

/** Reads `::view chart`. Returns null for an ordinary line of the log, such as one with another word. */
export function parseView(line: string): OutputView | null {
  const word = LINE.exec(line)?.[1];
  return OUTPUT_VIEWS.find((view) => view === word) ?? null;
}
