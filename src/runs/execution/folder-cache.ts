import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import { removeTree } from '../../../libs/sandbox/index.js';
import { randomText } from '../../core/crypto/index.js';

interface Entry {
  directory: Promise<string>;
  users: number;
}

export interface OpenedFolder {
  directory: string;
  /** To be called once. */
  release(): void;
}

/** Makes folders when they are first asked for. Those in use are kept, and so are the idle ones that were used last. */
export class FolderCache {
  /** In the order of use: the first idle one is removed first. */
  private readonly entries = new Map<string, Entry>();

  /** @param root a folder that nobody else uses */
  constructor(
    private readonly root: string,
    private readonly mostIdle: number,
    private readonly onRemoved: (name: string) => void = () => undefined,
  ) {}

  /** @param make creates and fills the folder at this path; if it fails, everybody who waits for the folder gets the error */
  async open(name: string, make: (draft: string) => Promise<void>): Promise<OpenedFolder> {
    const entry = this.entries.get(name) ?? { directory: this.make(name, make), users: 0 };
    entry.users += 1;
    this.entries.delete(name);
    this.entries.set(name, entry);
    try {
      const directory = await entry.directory;
      return { directory, release: () => this.release(entry) };
    } catch (error) {
      if (this.entries.get(name) === entry) this.entries.delete(name);
      throw error;
    }
  }

  private async make(name: string, make: (draft: string) => Promise<void>): Promise<string> {
    const target = join(this.root, name);
    const draft = join(this.root, `draft-${randomText(16)}`);
    try {
      await make(draft);
      await rename(draft, target);
    } catch (error) {
      await removeTree(draft);
      throw error;
    }
    return target;
  }

  private release(entry: Entry): void {
    entry.users -= 1;
    const idle = [...this.entries].filter(([, { users }]) => users === 0);
    for (const [name, { directory }] of idle.slice(0, Math.max(0, idle.length - this.mostIdle))) {
      this.entries.delete(name);
      this.onRemoved(name);
      void this.remove(directory);
    }
  }

  /** Renamed before it is removed, so that it can be made anew at once if somebody asks for it meanwhile. */
  private async remove(directory: Promise<string>): Promise<void> {
    const doomed = join(this.root, `draft-${randomText(16)}`);
    await rename(await directory, doomed).catch(() => undefined);
    await removeTree(doomed).catch(() => undefined);
  }
}
