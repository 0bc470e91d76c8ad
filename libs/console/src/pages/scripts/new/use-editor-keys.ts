import { useEffect, useRef } from 'react';

interface EditorKeys {
  /** Ctrl Enter */
  onTest: () => void;
  /** Ctrl S */
  onSave: () => void;
}

const DIALOG = '[aria-modal=true]';

/** Keys of the page around an editor, which the editor itself does not get. */
export function useEditorKeys(keys: EditorKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const act = event.key === 'Enter' ? 'onTest' : event.key.toLowerCase() === 's' ? 'onSave' : null;
      if (act === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat && document.querySelector(DIALOG) === null) latest.current[act]();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, []);
}
