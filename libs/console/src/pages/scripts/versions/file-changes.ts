import type { VersionFile } from '../coming.js';

export interface FileChange {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before: VersionFile | null;
  after: VersionFile | null;
}

/** What differs between the files of two versions, by path. */
export function fileChanges(before: readonly VersionFile[], after: readonly VersionFile[]): FileChange[] {
  const earlier = new Map(before.map((file) => [file.path, file]));
  const later = new Map(after.map((file) => [file.path, file]));
  return [...new Set([...earlier.keys(), ...later.keys()])].sort().flatMap((path): FileChange[] => {
    const [from, to] = [earlier.get(path) ?? null, later.get(path) ?? null];
    if (!from) return [{ path, kind: 'added', before: from, after: to }];
    if (!to) return [{ path, kind: 'removed', before: from, after: to }];
    return isSame(from, to) ? [] : [{ path, kind: 'changed', before: from, after: to }];
  });
}

function isSame(a: VersionFile, b: VersionFile): boolean {
  return a.kind === b.kind && a.sha256 === b.sha256 && a.size === b.size && a.executable === b.executable;
}

/** The lines that one list has and the other has not. */
export function lineChanges(before: string[], after: string[]): { added: string[]; removed: string[] } {
  return {
    added: after.filter((line) => !before.includes(line)),
    removed: before.filter((line) => !after.includes(line)),
  };
}
