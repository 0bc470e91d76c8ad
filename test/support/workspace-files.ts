import { readFile } from 'node:fs/promises';

/** Names the test file that made a workspace. */
export type FileOfWorkspace = (workspaceId: string | null) => string;

/** @param path of a file with lines as `newWorkspace` writes them */
export async function testFilesOfWorkspaces(path: string): Promise<FileOfWorkspace> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const files = new Map(lines.map((line) => line.split(' ') as [string, string]));
  return (id) => files.get(id ?? '') ?? `a file that made workspace ${id ?? 'none'} without newWorkspace()`;
}
