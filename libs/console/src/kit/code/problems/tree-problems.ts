import type { Tree, SyntaxNode } from '@lezer/common';

import { MOST_PROBLEMS, type TextProblem } from './text-problem.js';

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** What the editor's own parser could not make sense of, but for what Python allows and that parser does not know. */
export function treeProblems(tree: Tree, text: string): TextProblem[] {
  const found: TextProblem[] = [];
  tree.iterate({
    enter: ({ type, from, to, node }) => {
      if (!type.isError || found.length === MOST_PROBLEMS) return;
      if (found.at(-1)?.from === from || isAllowed(node, text)) return;
      found.push(problemAt(node, text, from, to));
    },
  });
  return found;
}

function problemAt({ parent }: SyntaxNode, text: string, from: number, to: number): TextProblem {
  const first = parent?.firstChild;
  const opening = first ? text.slice(first.from, first.to) : '';
  const closing = CLOSING[opening];
  if (first && closing && parent.lastChild?.name !== closing && from === to) {
    return { from: first.from, to: first.to, message: `This ${opening} is never closed.` };
  }
  const found = text.slice(from, to).trim();
  const message = found === '' ? 'Something is missing here.' : `${found.slice(0, 20)} is not expected here.`;
  return { ...seen(text, from, to), message };
}

/** Nothing cannot be underlined: what stands before it is. */
function seen(text: string, from: number, to: number): Pick<TextProblem, 'from' | 'to'> {
  const last = text.slice(0, to).trimEnd().length;
  return from < last ? { from, to: last } : { from: Math.max(0, last - 1), to: last };
}

function isAllowed({ from, to, parent }: SyntaxNode, text: string): boolean {
  const before = text.slice(Math.max(0, from - 200), from);
  return (
    // `yield` without a value, `24.*x`, `case Name():` and a form feed between two functions.
    /\byield\s*(#.*\s*)?$/.test(before) ||
    /\d\.$/.test(before) ||
    (parent?.name === 'LiteralPattern' && before.endsWith('(')) ||
    (text.slice(from, to).trim() === '' && before.endsWith('\f'))
  );
}
