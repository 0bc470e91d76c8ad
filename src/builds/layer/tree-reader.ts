import type { FileHandle } from 'node:fs/promises';

import { HeldDirectory } from '../../../libs/sandbox/index.js';

interface Level {
  name: string;
  folder: HeldDirectory;
}

/**
 * Opens files of a folder by their paths, without following any link on the way. The folders on the way to the last
 * file stay open: reading in the order of the tree opens each of them once.
 */
export class TreeReader {
  private root: HeldDirectory | null = null;
  private readonly levels: Level[] = [];

  constructor(private readonly path: string) {}

  /** @throws ELOOP or ENOTDIR where a link stands on the way */
  async file(path: string): Promise<FileHandle> {
    const steps = path.split('/');
    const name = steps.pop()!;
    return (await this.enter(steps)).file(name);
  }

  async close(): Promise<void> {
    await this.leave(0);
    await this.root?.close();
    this.root = null;
  }

  private async enter(steps: readonly string[]): Promise<HeldDirectory> {
    const differing = this.levels.findIndex(({ name }, depth) => name !== steps[depth]);
    if (differing >= 0) await this.leave(differing);
    let folder = this.levels.at(-1)?.folder ?? (this.root ??= await HeldDirectory.open(this.path));
    for (const name of steps.slice(this.levels.length)) {
      folder = await folder.directory(name);
      this.levels.push({ name, folder });
    }
    return folder;
  }

  private async leave(depth: number): Promise<void> {
    for (const { folder } of this.levels.splice(depth).reverse()) await folder.close();
  }
}
