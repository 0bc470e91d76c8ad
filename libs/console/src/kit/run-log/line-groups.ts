/** What begins and ends the lines that can be folded away. */
const GROUP = '::group::';
const END = '::endgroup::';
const MOST_SHOWN_OF_TITLE = 200;

export interface LineGroup {
  title: string;
  /** How many lines are in it. */
  count: number;
  isOpen: boolean;
}

/** Whether a group is open, by where it begins and ends. One without an end is what the script is at, or where it stopped. */
type OpenGroups = (header: number, end: number | null) => boolean;

/** The lines of a log that `::group::title` and `::endgroup::` leave in view; as the log grows only what is new is looked at. */
export class LineGroups {
  /** The positions of the lines that are shown. */
  readonly visible: number[] = [];
  private readonly groups = new Map<number, LineGroup>();
  private seen = 0;
  /** The position of the first line of the group that has not ended; -1: there is none. */
  private current = -1;
  private shownBefore = 0;

  constructor(private readonly isOpen: OpenGroups) {}

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  update(lines: readonly string[]): this {
    for (; this.seen < lines.length; this.seen++) this.add(this.seen, lines[this.seen]!);
    return this;
  }

  /** The group that begins at a line. */
  at(position: number): LineGroup | null {
    return this.groups.get(position) ?? null;
  }

  private add(at: number, line: string): void {
    if (line.startsWith(GROUP)) {
      this.end(at);
      this.current = at;
      const title = line.slice(GROUP.length).trim().slice(0, MOST_SHOWN_OF_TITLE);
      this.groups.set(at, { title: title || 'Group', count: 0, isOpen: this.isOpen(at, null) });
      this.visible.push(at);
      this.shownBefore = this.visible.length;
      return;
    }
    const group = this.groups.get(this.current);
    if (group && line.trimEnd() === END) return this.end(at);
    if (group) group.count++;
    if (!group || group.isOpen) this.visible.push(at);
  }

  private end(at: number): void {
    const group = this.groups.get(this.current);
    if (group?.isOpen && !this.isOpen(this.current, at)) {
      group.isOpen = false;
      this.visible.length = this.shownBefore;
    }
    this.current = -1;
  }
}
