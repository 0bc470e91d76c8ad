import { type DraftFile, sortedByPath } from './draft.js';

export function fileAt(files: DraftFile[], path: string | null): DraftFile | undefined {
  return files.find((file) => file.path === path);
}

export function withContent(files: DraftFile[], path: string, content: string): DraftFile[] {
  return files.map((file) => (file.path === path ? { ...file, content } : file));
}

/** Adds files; one with the same path takes the place of the earlier one. */
export function withFiles(files: DraftFile[], added: DraftFile[]): DraftFile[] {
  const paths = new Set(added.map(({ path }) => path));
  return sortedByPath([...files.filter(({ path }) => !paths.has(path)), ...added]);
}

export function withoutFile(files: DraftFile[], path: string): DraftFile[] {
  return files.filter((file) => file.path !== path);
}

export function renamed(files: DraftFile[], from: string, to: string): DraftFile[] {
  return sortedByPath(files.map((file) => (file.path === from ? { ...file, path: to } : file)));
}

/** What the editor opens first: what says how the script runs, else whatever can be read. */
export function firstToOpen(files: DraftFile[]): string | null {
  const texts = files.filter(({ content }) => typeof content === 'string').map(({ path }) => path);
  const main = texts.find((path) => /^(main|app|index|run)\.\w+$/.test(path));
  return main ?? texts.find((path) => !path.startsWith('.')) ?? texts[0] ?? null;
}

export interface TreeNode {
  /** The path; folders end with a slash. */
  value: string;
  label: string;
  children?: TreeNode[];
}

/** The files by folder, folders first. */
export function treeOf(paths: string[]): TreeNode[] {
  const root: TreeNode = { value: '', label: '', children: [] };
  const folders = new Map([['', root]]);
  const folderAt = (path: string): TreeNode => {
    const known = folders.get(path);
    if (known) return known;
    const { parent, name } = split(path.slice(0, -1));
    const made: TreeNode = { value: path, label: name, children: [] };
    folderAt(parent).children!.push(made);
    folders.set(path, made);
    return made;
  };
  for (const path of paths) {
    const { parent, name } = split(path);
    folderAt(parent).children!.push({ value: path, label: name });
  }
  for (const { children } of folders.values()) {
    children!.sort(
      (one, other) =>
        Number(other.children !== undefined) - Number(one.children !== undefined) ||
        one.label.localeCompare(other.label),
    );
  }
  return root.children!;
}

function split(path: string): { parent: string; name: string } {
  const at = path.lastIndexOf('/') + 1;
  return { parent: path.slice(0, at), name: path.slice(at) };
}
