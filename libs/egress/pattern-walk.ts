import type { OnMatch, PatternMatcher } from './pattern-matcher.js';
import type { PatternTrie } from './pattern-trie.js';

const BYTES = 256;
/** As many nodes have a row of all their transitions, of 1 KiB: those with the shortest texts, where ordinary text leads. */
const MOST_ROWS = 2048;

/**
 * Walks a trie that is too large for a table of all transitions. It takes at most two steps a byte on average. How near
 * a text is to a pattern changes that by a few nanoseconds. A state is a row's number or, from the number of rows on, a
 * node's. A node without a row leads to none with one.
 */
export class PatternWalk implements PatternMatcher {
  private readonly rows: Int32Array;
  private readonly rowCount: number;
  private readonly longestOfRow: Int32Array;
  /** States, by node. */
  private readonly fallbacks: Int32Array;

  constructor(
    private readonly trie: PatternTrie,
    mostRows = MOST_ROWS,
  ) {
    const withRow = [0];
    trie.breadthFirst((_parent, _byte, node) => {
      if (withRow.length < mostRows) withRow.push(node);
    });
    this.rowCount = withRow.length;
    const states = new Int32Array(trie.size);
    for (let node = 0; node < trie.size; node++) states[node] = this.rowCount + node;
    withRow.forEach((node, row) => (states[node] = row));
    this.fallbacks = new Int32Array(trie.size);
    for (let node = 0; node < trie.size; node++) this.fallbacks[node] = states[trie.fallbackOf(node)]!;
    this.longestOfRow = Int32Array.from(withRow, (node) => trie.longestAt(node));
    this.rows = new Int32Array(this.rowCount * BYTES);
    // A row is the fallback's, which is complete by then because its text is shorter, with the node's own edges.
    withRow.forEach((node, row) => {
      const fallback = this.fallbacks[node]! * BYTES;
      this.rows.copyWithin(row * BYTES, fallback, fallback + BYTES);
      for (let byte = 0; byte < BYTES; byte++) {
        const child = trie.child(node, byte);
        if (child !== 0) this.rows[row * BYTES + byte] = states[child]!;
      }
    });
  }

  read(bytes: Uint8Array, from: number, onMatch: OnMatch): number {
    const { rows, rowCount, longestOfRow, trie } = this;
    let state = from;
    for (let at = 0; at < bytes.length; at++) {
      state = state < rowCount ? rows[state * BYTES + bytes[at]!]! : this.step(state, bytes[at]!);
      const length = state < rowCount ? longestOfRow[state]! : trie.longestAt(state - rowCount);
      if (length !== 0) onMatch(at + 1, length);
    }
    return state;
  }

  private step(from: number, byte: number): number {
    const { rows, rowCount, trie, fallbacks } = this;
    let state = from;
    while (state >= rowCount) {
      const child = trie.child(state - rowCount, byte);
      if (child !== 0) return rowCount + child;
      state = fallbacks[state - rowCount]!;
    }
    return rows[state * BYTES + byte]!;
  }
}
