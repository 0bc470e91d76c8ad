import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { indentOnInput } from '@codemirror/language';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
} from '@codemirror/view';
import { Anchor, Group, Text } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';

import classes from './code.module.css';
import { basics, fromOutside } from './reading.js';
import { useAssist } from './use-assist.js';
import { useMirror } from './use-mirror.js';
import type { Word } from './word.js';

interface MirrorEditorProps {
  value: string;
  onChange: (value: string) => void;
  path: string;
  label: string;
  height: string | undefined;
  words: readonly Word[] | undefined;
}

export function MirrorEditor({ value, onChange, path, label, height, words }: MirrorEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const [tabIndents, setTabIndents] = useState(false);
  const { problems, begin, toNext } = useAssist(words);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });

  const wasTyped = useMirror(parent, { text: value, path }, (dark) => {
    const toggleTab = (target: EditorView): boolean => {
      target.setTabFocusMode();
      setTabIndents((indents) => !indents);
      return true;
    };
    const view = new EditorView({
      doc: value,
      extensions: [
        basics(dark),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        indentOnInput(),
        keymap.of([{ key: 'Ctrl-m', run: toggleTab }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': hintId, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) {
            const text = state.doc.toString();
            wasTyped(text);
            latest.current(text);
          }
        }),
      ],
    });
    view.setTabFocusMode(true);
    begin(view, path);
    return view;
  });

  return (
    <div className={classes['editor']} style={{ height }}>
      <div ref={parent} className={classes['frame']} data-filled={height !== undefined || undefined} />
      <Group gap="xs" px="xs" py={2} justify="space-between">
        <Text id={hintId} size="xs" c="dimmed" aria-live="polite">
          {tabIndents
            ? 'Tab indents. Ctrl M, or Escape and then Tab, to leave.'
            : 'Tab leaves the editor. Ctrl M: Tab indents.'}
        </Text>
        <Text size="xs" role="status">
          {problems.length > 0 && (
            <Anchor component="button" type="button" inherit c="var(--mantine-color-error)" onClick={toNext}>
              {problems.length === 1 ? '1 problem' : `${problems.length} problems`}, F8 leads there
            </Anchor>
          )}
        </Text>
      </Group>
    </div>
  );
}
