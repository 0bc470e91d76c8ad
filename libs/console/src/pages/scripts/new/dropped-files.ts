import { draftFile } from './archive.js';
import { filesOfArchive, type OpenedArchive } from './archive.js';
import { MAX_ARCHIVE_BYTES, folderProblem, isLeftOut, withoutWrapper } from './folder.js';

/** A file of this machine, with its path within what was chosen. */
export interface LocalFile {
  path: string;
  file: File;
}

/** What was dropped: read at once, since the browser forgets it after the event. */
export function entriesOf(items: DataTransferItemList): FileSystemEntry[] {
  return [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
}

/** All files below the entries, without those that no script needs. */
export async function localFiles(entries: FileSystemEntry[]): Promise<LocalFile[]> {
  const found: LocalFile[] = [];
  const waiting = [...entries];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const path = entry.fullPath.replace(/^\//, '');
    if (isLeftOut(path)) continue;
    if (entry.isDirectory) waiting.push(...(await childrenOf(entry as FileSystemDirectoryEntry)));
    else found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
  }
  return found;
}

/** What was chosen in the browser's dialog, of a whole folder or of single files. */
export function chosenFiles(files: FileList): LocalFile[] {
  return [...files]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !isLeftOut(path));
}

/**
 * The files of a script: of one archive, or the files themselves.
 * @throws Error in words for the person, where they cannot be a script
 */
export async function scriptFiles(files: LocalFile[]): Promise<OpenedArchive> {
  const [first] = files;
  if (first && files.length === 1 && /\.(tgz|tar\.gz)$/i.test(first.file.name)) {
    if (first.file.size > MAX_ARCHIVE_BYTES) throw new Error('The archive is larger than 10 MB.');
    const opened = await filesOfArchive(new Uint8Array(await first.file.arrayBuffer()));
    refuse(folderProblem(opened.files.map(({ content }) => ({ size: content.length }))));
    return opened;
  }
  refuse(folderProblem(files.map(({ file }) => file)));
  return { files: await readAll(withoutWrapper(files)), leftOut: [] };
}

export async function readAll(files: LocalFile[]): Promise<OpenedArchive['files']> {
  return Promise.all(
    files.map(async ({ path, file }) =>
      draftFile({
        path,
        bytes: new Uint8Array(await file.arrayBuffer()),
        // A browser does not say; scripts of a shell are often started by their own path.
        executable: path.endsWith('.sh'),
      }),
    ),
  );
}

function refuse(problem: string | null): void {
  if (problem) throw new Error(problem);
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives a folder's children in portions, and an empty one at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return children;
    children.push(...portion);
  }
}
