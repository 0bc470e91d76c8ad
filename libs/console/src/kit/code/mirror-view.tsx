import { EditorView } from '@codemirror/view';
import { Box } from '@mantine/core';
import { useRef } from 'react';

import classes from './code.module.css';
import { basics, readOnly } from './reading.js';
import { useMirror } from './use-mirror.js';

interface MirrorViewProps {
  text: string;
  path: string;
  label: string;
  maxHeight: string;
}

export function MirrorView({ text, path, label, maxHeight }: MirrorViewProps) {
  const parent = useRef<HTMLDivElement>(null);
  useMirror(
    parent,
    { text, path },
    (dark) => new EditorView({ doc: text, extensions: [basics(dark), readOnly(label)] }),
  );
  return <Box ref={parent} className={classes['frame']} __vars={{ '--code-max-height': maxHeight }} />;
}
