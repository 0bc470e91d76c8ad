import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

import { OffThread } from '../../off-thread.js';
import type { ScriptQuestion } from './script-problems.js';
import type { TextProblem } from './text-problem.js';
import { treeProblems } from './tree-problems.js';

const LIMIT_MS = 2_000;
const PARSED_WITHIN_MS = 100;
/** Longer files are not written by hand. */
const LONGEST = 200_000;

const scripts = new OffThread<ScriptQuestion, TextProblem[]>(
  () => new Worker(new URL('./script-worker.ts', import.meta.url), { type: 'module' }),
  LIMIT_MS,
);

/** What is wrong with the syntax of a file, as far as it is known for files of its name. */
export async function textProblems(path: string, state: EditorState): Promise<TextProblem[]> {
  const { doc } = state;
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (doc.length > LONGEST || doc.toString().trim() === '') return [];
  if (/^[cm]?[jt]sx?$/.test(ending)) {
    const isTyped = ending.includes('t');
    return (
      (await scripts.ask({ text: doc.toString(), isTyped, hasElements: ending.endsWith('x') || !isTyped })) ??
      []
    );
  }
  if (ending !== 'py' && ending !== 'json') return [];
  const tree = ensureSyntaxTree(state, doc.length, PARSED_WITHIN_MS);
  return tree ? treeProblems(tree, doc.toString()) : [];
}
