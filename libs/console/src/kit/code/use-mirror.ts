import { EditorView } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

import { setDark, setLanguage, setText } from './reading.js';

/**
 * A view of one text, kept for as long as the element is on the page.
 * Returns what to tell it of a text that was typed there: that one need not be compared when it comes back as `text`.
 */
export function useMirror(
  parent: RefObject<HTMLDivElement | null>,
  { text, path }: { text: string; path: string },
  make: (dark: boolean) => EditorView,
): (text: string) => void {
  const dark = useComputedColorScheme('light') === 'dark';
  const view = useRef<EditorView | null>(null);
  const first = useRef({ make, dark });
  const typed = useRef<string | null>(null);

  useEffect(() => {
    const made = first.current.make(first.current.dark);
    view.current = made;
    parent.current?.append(made.dom);
    return () => made.destroy();
  }, [parent]);

  useEffect(() => {
    if (view.current && text !== typed.current) setText(view.current, text);
  }, [text]);

  useEffect(() => {
    let current = true;
    const shown = view.current;
    if (shown) void setLanguage(shown, path, () => current);
    return () => {
      current = false;
    };
  }, [path]);

  useEffect(() => {
    if (view.current) setDark(view.current, dark);
  }, [dark]);

  return useCallback((text) => {
    typed.current = text;
  }, []);
}
