import { MergeView, getChunks, unifiedMergeView } from '@codemirror/merge';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { Box, Button, Group, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

import classes from './code.module.css';
import { changeColours } from './colours.js';
import { basics, readOnly, setDark, setLanguage } from './reading.js';
import { useIsWide } from './use-is-wide.js';

interface MirrorDifferenceProps {
  before: string;
  after: string;
  path: string;
  maxHeight: string;
}

/** Exact where it can be, and done within a moment where two large texts have little in common. */
const diffConfig = { scanLimit: 1_000, timeout: 500 };
const SIDE_BY_SIDE_FROM_PX = 760;

export function MirrorDifference({ before, after, path, maxHeight }: MirrorDifferenceProps) {
  const frame = useRef<HTMLDivElement>(null);
  const wide = useIsWide(frame, SIDE_BY_SIDE_FROM_PX);
  const dark = useComputedColorScheme('light') === 'dark';
  const [whole, setWhole] = useState(false);
  const [changes, setChanges] = useState<number | null>(null);

  useEffect(() => {
    if (wide === null || !frame.current) return;
    let current = true;
    const extensions = [basics(dark), changeColours];
    const show = wide ? sideBySide : unified;
    const shown = show({ before, after, path, extensions, whole }, frame.current);
    for (const view of shown.views) {
      setDark(view, dark);
      void setLanguage(view, path, () => current);
    }
    setChanges(shown.changes);
    return () => {
      current = false;
      shown.destroy();
    };
  }, [before, after, path, wide, dark, whole]);

  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" c="dimmed" role="status">
          {changes === null ? '' : changesText(changes)}
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => setWhole(!whole)}>
          {whole ? 'Show changes only' : 'Show all lines'}
        </Button>
      </Group>
      <Box ref={frame} className={classes['frame']} __vars={{ '--code-max-height': maxHeight }} />
    </div>
  );
}

interface Comparison {
  before: string;
  after: string;
  path: string;
  extensions: Extension;
  whole: boolean;
}

interface Shown {
  views: EditorView[];
  changes: number;
  destroy: () => void;
}

function sideBySide({ before, after, path, extensions, whole }: Comparison, parent: Element): Shown {
  const merge = new MergeView({
    a: { doc: before, extensions: [extensions, readOnly(`${path} before`)] },
    b: { doc: after, extensions: [extensions, readOnly(`${path} after`)] },
    parent,
    gutter: true,
    diffConfig,
    ...(!whole && { collapseUnchanged: {} }),
  });
  return {
    views: [merge.a, merge.b],
    changes: countOf(merge.b.state),
    destroy: () => merge.destroy(),
  };
}

function unified({ before, after, path, extensions, whole }: Comparison, parent: Element): Shown {
  const view = new EditorView({
    doc: after,
    parent,
    extensions: [
      extensions,
      readOnly(`${path}, what was removed and added`),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        diffConfig,
        ...(!whole && { collapseUnchanged: {} }),
      }),
    ],
  });
  return { views: [view], changes: countOf(view.state), destroy: () => view.destroy() };
}

function countOf(state: EditorState): number {
  return getChunks(state)?.chunks.length ?? 0;
}

function changesText(count: number): string {
  if (count === 0) return 'No difference';
  return count === 1 ? '1 place differs' : `${count} places differ`;
}
