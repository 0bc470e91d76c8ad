import { type CompletionContext, type CompletionResult, autocompletion } from '@codemirror/autocomplete';
import { language } from '@codemirror/language';
import { type Diagnostic, lintKeymap, linter, nextDiagnostic } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

import { textProblems } from './problems/text-problems.js';
import type { Word } from './word.js';

export { nextDiagnostic };

export interface AssistOptions {
  path: string;
  words: () => readonly Word[];
  onProblems: (problems: Diagnostic[]) => void;
}

const ERROR = 'light-dark(#c92a2a, #ff8787)';

/** The kit draws its underlines as pictures, which differ from what else is wrong on a page. */
const look = EditorView.theme({
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: `underline wavy ${ERROR} 1px` },
  '.cm-diagnostic-error': { borderLeftColor: ERROR },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '4px',
    boxShadow: 'var(--mantine-shadow-md)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family-monospace)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'light-dark(var(--mantine-color-gate-0), var(--mantine-color-dark-5))',
    color: 'inherit',
  },
  '.cm-completionDetail': { color: 'var(--mantine-color-dimmed)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionInfo': { padding: '6px 8px', maxWidth: '20rem' },
});

/** What helps who writes: words that are offered, and problems that are underlined. */
export function assist({ path, words, onProblems }: AssistOptions): Extension {
  // Another function each time would be another source, which begins anew at each key.
  const ownData = [{ autocomplete: (at: CompletionContext) => offered(at, words()) }];
  return [
    look,
    autocompletion({ icons: false }),
    EditorState.languageData.of(() => ownData),
    linter(
      async ({ state }) => {
        const found = await textProblems(path, state);
        const problems = found.map((problem): Diagnostic => ({ ...problem, severity: 'error' }));
        onProblems(problems);
        return problems;
      },
      {
        delay: 500,
        // The syntax is loaded after the text.
        needsRefresh: ({ startState, state }) => startState.facet(language) !== state.facet(language),
      },
    ),
    keymap.of(lintKeymap),
  ];
}

function offered(at: CompletionContext, words: readonly Word[]): CompletionResult | null {
  const typed = at.matchBefore(/[\w$]+/);
  if (words.length === 0 || (typed === null && !at.explicit)) return null;
  return {
    from: typed?.from ?? at.pos,
    options: words.map((word) => ({ ...word, boost: 50 })),
    validFor: /^[\w$]*$/,
  };
}
