import { Text } from '@mantine/core';

import { MAX_TEXT_BYTES, textOf } from './archive/text-of.js';
import type { FileChange, VersionFile } from './archive/version-files.js';
import { CodeDifference } from './code-difference.js';

/** How a file differs between two versions, or why that cannot be shown. */
export function FileDifference({ change: { path, before, after } }: { change: FileChange }) {
  if ([before, after].some((file) => file !== null && !isReadable(file))) {
    return <Text size="sm">It is a link or over 1 MB, so its text is not compared.</Text>;
  }
  const [old, now] = [before, after].map((file) => (file ? textOf(file.content) : ''));
  if (typeof old !== 'string' || typeof now !== 'string') {
    return <Text size="sm">It is not text, so only the fact that it differs is known.</Text>;
  }
  if (old === now) return <Text size="sm">Only whether it may be executed differs.</Text>;
  return <CodeDifference before={old} after={now} path={path} />;
}

function isReadable({ kind, size }: VersionFile): boolean {
  return kind === 'file' && size <= MAX_TEXT_BYTES;
}
