import type { TreeNodeData } from '@mantine/core';

import type { VersionFile } from '../../../kit/archive/version-files.js';

/** Installed packages: there, but not what somebody came to read. */
const INSTALLED = new Set(['.deps', 'node_modules', '__pycache__', '.venv']);
const FEW = 60;

/** The folders and files by their paths, folders first, each by name. A folder's value ends with a slash. */
export function fileTree(files: readonly Pick<VersionFile, 'path'>[]): TreeNodeData[] {
  const root: TreeNodeData[] = [];
  const folders = new Map<string, TreeNodeData[]>([['', root]]);
  const folder = (path: string): TreeNodeData[] => {
    const known = folders.get(path);
    if (known) return known;
    const children: TreeNodeData[] = [];
    folders.set(path, children);
    folder(parentOf(path)).push({ label: nameOf(path), value: `${path}/`, children });
    return children;
  };
  for (const { path } of files) folder(parentOf(path)).push({ label: nameOf(path), value: path });
  for (const children of folders.values()) children.sort(byKindAndName);
  return root;
}

/** The folders that are open at first: all of a small archive but installed packages, and those above the open file. */
export function openFolders(files: readonly Pick<VersionFile, 'path'>[], open: string | undefined): string[] {
  const own = files.filter(({ path }) => !path.split('/').some((part) => INSTALLED.has(part)));
  const shown = own.length <= FEW ? own.map(({ path }) => path) : [];
  return [...new Set([...shown, ...(open ? [open] : [])].flatMap(foldersAbove))];
}

/** What is opened where nothing was chosen: what runs, else what explains, else the first. */
export function firstFile(
  files: readonly Pick<VersionFile, 'path' | 'kind'>[],
  command: string,
): string | undefined {
  const paths = files.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const words = command.split(/\s+/).map((word) => word.replace(/^\.\//, ''));
  return (
    paths.find((path) => words.includes(path)) ??
    paths.find((path) => /^readme(\.\w+)?$/i.test(path)) ??
    paths.find((path) => !path.includes('/')) ??
    paths[0]
  );
}

function byKindAndName(a: TreeNodeData, b: TreeNodeData): number {
  return Number(Boolean(b.children)) - Number(Boolean(a.children)) || a.value.localeCompare(b.value);
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
}

function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
