import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';

import type { Word } from './code/word.js';
import { lazily } from './lazily.js';

const MirrorEditor = lazily(async () => ({
  default: (await import('./code/mirror-editor.js')).MirrorEditor,
}));

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** Its name says the syntax; another path is another text, with a history of its own. */
  path: string;
  /** What is written here, for those who cannot see where it stands: `File main.py`. */
  label: string;
  /** A CSS length; without it the editor grows with its text. */
  height?: string;
  /** What is offered while one types; where it is given, problems of the syntax are underlined as well. */
  words?: readonly Word[];
}

/** A text to write code in. Tab leaves it, unless the person asks for Tab to indent. */
export function CodeEditor({ height, words, ...props }: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={height ?? '12rem'} />}>
      <MirrorEditor key={props.path} height={height} words={words} {...props} />
    </Suspense>
  );
}
