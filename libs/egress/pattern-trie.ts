const BYTES = 256;
const BYTE_BITS = 0xff;
/** No edge leads to the node that follows in number. */
const NO_EDGE = 0x100;
/** The node has edges besides that one. */
const BRANCHES = 0x200;

/**
 * Patterns as a trie with a fallback for each node (Aho and Corasick, 1975). Node 0 is the root. The nodes of a chain are
 * numbered one after the other, so that each takes ten bytes.
 */
export class PatternTrie {
  /** How many nodes there are. */
  size = 1;
  /** For each node, the byte that leads to the node that follows in number, if one does. */
  private readonly edges: Uint16Array;
  /** Where other edges lead, by node and byte. */
  private readonly branches = new Map<number, number>();
  private readonly branching = new Map<number, [byte: number, node: number][]>();
  private readonly root = new Int32Array(BYTES);
  private readonly fallbacks: Int32Array;
  private readonly longest: Int32Array;

  /** @param patterns none of them empty */
  constructor(patterns: readonly Uint8Array[]) {
    const most = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
    this.edges = new Uint16Array(most).fill(NO_EDGE);
    this.fallbacks = new Int32Array(most);
    this.longest = new Int32Array(most);
    for (const pattern of patterns) this.add(pattern);
    this.breadthFirst((parent, byte, node) => {
      if (parent !== 0) this.fallbacks[node] = this.step(this.fallbacks[parent]!, byte);
      if (this.longest[node] === 0) this.longest[node] = this.longest[this.fallbacks[node]!]!;
    });
  }

  /** The length of the longest pattern that a node's text ends with, or 0. */
  longestAt(node: number): number {
    return this.longest[node]!;
  }

  /** The longest other node whose text a node's own ends with. */
  fallbackOf(node: number): number {
    return this.fallbacks[node]!;
  }

  /** The node that a byte leads to directly, or 0. */
  child(node: number, byte: number): number {
    if (node === 0) return this.root[byte]!;
    const edge = this.edges[node]!;
    if ((edge & (BYTE_BITS | NO_EDGE)) === byte) return node + 1;
    return edge & BRANCHES ? (this.branches.get(node * BYTES + byte) ?? 0) : 0;
  }

  /** Goes over all nodes but the root, those with shorter texts first, and those of one parent together. */
  breadthFirst(visit: (parent: number, byte: number, node: number) => void): void {
    for (let level = [0]; level.length > 0;) {
      const below: number[] = [];
      const meet = (parent: number, byte: number, node: number): void => {
        visit(parent, byte, node);
        below.push(node);
      };
      for (const parent of level) this.children(parent, meet);
      level = below;
    }
  }

  private step(from: number, byte: number): number {
    for (let node = from; node !== 0; node = this.fallbacks[node]!) {
      const child = this.child(node, byte);
      if (child !== 0) return child;
    }
    return this.root[byte]!;
  }

  private children(parent: number, meet: (parent: number, byte: number, node: number) => void): void {
    if (parent === 0) {
      this.root.forEach((node, byte) => {
        if (node !== 0) meet(0, byte, node);
      });
      return;
    }
    const edge = this.edges[parent]!;
    if ((edge & NO_EDGE) === 0) meet(parent, edge & BYTE_BITS, parent + 1);
    if (edge & BRANCHES) for (const [byte, node] of this.branching.get(parent)!) meet(parent, byte, node);
  }

  private add(pattern: Uint8Array): void {
    let node = 0;
    let at = 0;
    for (; at < pattern.length; at++) {
      const child = this.child(node, pattern[at]!);
      if (child === 0) break;
      node = child;
    }
    for (; at < pattern.length; at++) node = this.grow(node, pattern[at]!);
    this.longest[node] = pattern.length;
  }

  private grow(parent: number, byte: number): number {
    const node = this.size++;
    if (parent === 0) this.root[byte] = node;
    else if (node === parent + 1 && this.edges[parent] === NO_EDGE) this.edges[parent] = byte;
    else {
      this.edges[parent]! |= BRANCHES;
      this.branches.set(parent * BYTES + byte, node);
      const siblings = this.branching.get(parent);
      if (siblings) siblings.push([byte, node]);
      else this.branching.set(parent, [[byte, node]]);
    }
    return node;
  }
}
