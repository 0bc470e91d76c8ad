import { badArchive, badEntry, MAX_DEPTH, MAX_ENTRIES } from './archive-limits.js';
import { depthOf } from './entry-path.js';

export type EntryKind = 'file' | 'directory' | 'symlink' | 'link';

/**
 * What an archive holds so far. It refuses what would be written twice, below something that is no folder, or through a
 * link. So unpacking in order creates every path exactly once.
 */
export class ArchiveTree {
  private readonly kinds = new Map<string, EntryKind>();
  private readonly tops = new Set<string>();
  private readonly topClimbers: string[] = [];
  private rootNamed = false;

  /** @throws InvalidInput naming the entry */
  add(path: string, kind: EntryKind): void {
    if (path === '') return this.addRoot(kind);
    if (depthOf(path) > MAX_DEPTH) throw badEntry(path, `lies more than ${MAX_DEPTH} folders deep`);
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      const known = this.kinds.get(folder);
      if (known === undefined) this.kinds.set(folder, 'directory');
      else if (known !== 'directory')
        throw badEntry(path, `lies below ${JSON.stringify(folder)}, which is a ${known}`);
    }
    const before = this.kinds.get(path);
    if (before !== undefined && !(before === 'directory' && kind === 'directory')) {
      throw badEntry(path, `is there twice${before === kind ? '' : `, also as a ${before}`}`);
    }
    this.kinds.set(path, kind);
    if (this.kinds.size > 2 * MAX_ENTRIES) throw badArchive('holds more than 20,000 folders');
    this.tops.add(path.split('/', 1)[0]!);
  }

  /** Notes that a symbolic link climbs to the archive's very root. */
  noteClimb(path: string, climbs: number): void {
    if (climbs > 0 && climbs === depthOf(path)) this.topClimbers.push(path);
  }

  /** Notes that the archive was made of the folder's content (`tar -C folder .`), whatever it holds. */
  noteRoot(): void {
    this.rootNamed = true;
  }

  kindOf(path: string): EntryKind | undefined {
    return this.kinds.get(path);
  }

  folders(): string[] {
    return [...this.kinds].filter(([, kind]) => kind === 'directory').map(([path]) => path);
  }

  /**
   * The one folder that holds everything, as `tar -czf x.tgz folder` makes it; it is taken for the script's folder.
   * Null where the archive names its root (`./…`) or holds more than one thing at the top.
   *
   * @throws InvalidInput where a link points out of that folder
   */
  wrapper(): string | null {
    const [top] = this.tops;
    if (this.rootNamed || top === undefined || this.tops.size > 1 || this.kinds.get(top) !== 'directory')
      return null;
    const climber = this.topClimbers[0];
    if (climber !== undefined)
      throw badEntry(climber, `is a link that points outside the folder ${JSON.stringify(top)}`);
    return top;
  }

  private addRoot(kind: EntryKind): void {
    if (kind !== 'directory') throw badArchive(`its root is a ${kind}; it must be a folder`);
    this.noteRoot();
  }
}
