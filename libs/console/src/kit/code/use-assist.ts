import { StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';

import type { TextProblem } from './problems/text-problem.js';
import type { Word } from './word.js';

export interface Assisted {
  problems: readonly TextProblem[];
  /** Begins to help in a view, as soon as what does that is loaded. */
  begin: (view: EditorView, path: string) => void;
  /** To the next problem. */
  toNext: () => void;
}

/** @param words without them nothing is offered, and nothing is looked at */
export function useAssist(words: readonly Word[] | undefined): Assisted {
  const [problems, setProblems] = useState<readonly TextProblem[]>([]);
  const [toNext, setToNext] = useState<() => void>(() => () => {});
  const latest = useRef(words);
  useEffect(() => {
    latest.current = words;
  });
  const begin = (view: EditorView, path: string): void => {
    if (words === undefined) return;
    void import('./assist.js').then(
      ({ assist, nextDiagnostic }) => {
        if (!view.dom.isConnected) return;
        const help = assist({ path, words: () => latest.current ?? [], onProblems: setProblems });
        view.dispatch({ effects: StateEffect.appendConfig.of(help) });
        setToNext(() => () => {
          view.focus();
          nextDiagnostic(view);
        });
      },
      // One can write without.
      () => undefined,
    );
  };
  return { problems, begin, toNext };
}
