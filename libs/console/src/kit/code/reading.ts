import { bracketMatching } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension, Transaction } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';

import { styleNonce } from '../../api/base.js';
import { colours } from './colours.js';
import { languageOf } from './language-of.js';

const language = new Compartment();
const scheme = new Compartment();

/** Directions that could make text look like other text than it is; the editor's own list leaves these out. */
const MORE_DIRECTIONS = /[\u202a-\u202c\u2068]/g;

/** What every view of code has, whether it may be changed or not. */
export function basics(dark: boolean): Extension {
  return [
    EditorView.cspNonce.of(styleNonce),
    lineNumbers(),
    highlightSpecialChars({ addSpecialChars: MORE_DIRECTIONS }),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of(searchKeymap),
    colours,
    language.of([]),
    scheme.of(EditorView.darkTheme.of(dark)),
  ];
}

/** It can be reached and read by keyboard, but a phone opens no keyboard for it. */
export function readOnly(label: string): Extension {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': 'true',
      tabindex: '0',
    }),
  ];
}

/** A syntax that could not be loaded leaves plain text. */
export async function setLanguage(
  view: EditorView,
  path: string,
  isWanted: () => boolean = () => true,
): Promise<void> {
  const found = await languageOf(path, view.state.doc.toString()).catch(() => null);
  if (isWanted()) view.dispatch({ effects: language.reconfigure(found ?? []) });
}

export function setDark(view: EditorView, dark: boolean): void {
  view.dispatch({ effects: scheme.reconfigure(EditorView.darkTheme.of(dark)) });
}

/** Marks what was not typed by the person. */
export const fromOutside = Annotation.define<boolean>();

export function setText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.length === text.length && doc.toString() === text) return;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: text },
    annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)],
  });
}
