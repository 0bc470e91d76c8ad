import { cutText } from '../../../libs/cut-text/index.js';
import type { ShownRequest } from './shown-request.js';

type Compared = Pick<ShownRequest, 'query' | 'headers' | 'body' | 'bodyBytes' | 'bodySha256' | 'sha256'>;

const MOST_LINES = 40;
const MOST_CHARACTERS = 200;
const SHOWN_BEFORE = 60;

/** What is different from a request that was approved before: lines that begin with `+ ` or `- `. Empty: nothing is. */
export function changedLines(now: Compared, before: Compared): string[] {
  if (now.sha256 === before.sha256) return [];
  const [here, there] = [linesOf(now), linesOf(before)];
  const [gone, come] = [without(there, here), without(here, there)];
  const changed = [
    ...gone.map((line) => `- ${shortened(line, come)}`),
    ...come.map((line) => `+ ${shortened(line, gone)}`),
  ];
  if (changed.length === 0 && here.join('\n') !== there.join('\n'))
    return ['The same lines stand in another order.'];
  if (changed.length === 0)
    return ['Only what is masked here, or goes with the request unseen, is different.'];
  const shown = changed.slice(0, MOST_LINES);
  const rest = changed.length - shown.length;
  return rest === 0 ? shown : [...shown, `and ${rest} more lines`];
}

function linesOf({ query, headers, body, bodyBytes, bodySha256 }: Compared): string[] {
  const content = body ?? (bodyBytes === 0 ? '' : `body of ${bodyBytes} bytes, SHA-256 ${bodySha256}`);
  return [...(query === null ? [] : [`?${query}`]), ...headers, ...content.split('\n')];
}

/** Those of some lines that are not among others, each as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** A long line from shortly before where it differs from the one that it is most like. */
function shortened(line: string, others: readonly string[]): string {
  if (line.length <= MOST_CHARACTERS) return line;
  const same = Math.max(0, ...others.slice(0, MOST_LINES).map((other) => sameAtFirst(line, other)));
  const from = Math.max(0, same - SHOWN_BEFORE);
  const rest = line.slice(from).replace(/^\p{Surrogate}/u, '');
  return `${from > 0 ? '…' : ''}${cutText(rest, MOST_CHARACTERS, '…')}`;
}

function sameAtFirst(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
