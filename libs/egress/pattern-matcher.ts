/** Gets where a pattern has ended in what was read, and the length of the longest one that ends there. */
export type OnMatch = (end: number, length: number) => void;

/** Finds all of many patterns in one pass over bytes, which may come in parts. */
export interface PatternMatcher {
  /**
   * Reads on from a state; 0 is the first one.
   *
   * @returns the state after the bytes
   */
  read(bytes: Uint8Array, state: number, onMatch: OnMatch): number;
}
