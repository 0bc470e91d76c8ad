import { Injectable } from '@nestjs/common';

import type { SingleRunRow } from '../run-columns.js';

/** Somebody waits for a run's end in this process. */
interface Expectation {
  /** The row, once its end is committed. null: it was not written here. */
  row: Promise<SingleRunRow | null>;
  onEnd: () => void;
}

/** The ends of runs that are carried out by the process that is asked for them: they are there already, and not read again. */
@Injectable()
export class EndsHere {
  private readonly expected = new Map<string, Expectation>();

  /**
   * To be closed in the end.
   *
   * @param onEnd called when the run has ended here; it may end elsewhere as well
   */
  expect(id: string, onEnd: () => void): { row(): Promise<SingleRunRow | null>; close(): void } {
    const expectation: Expectation = { row: Promise.resolve(null), onEnd };
    this.expected.set(id, expectation);
    return { row: () => expectation.row, close: () => this.expected.delete(id) };
  }

  /**
   * Writes a run's end. Whoever hears of it before the commit has been reported here waits for that.
   *
   * @param write resolves after the commit, with null where it wrote nothing
   */
  async write<T>(
    id: string,
    write: () => Promise<T | null>,
    rowOf: (written: T) => SingleRunRow,
  ): Promise<T | null> {
    const writing = write();
    const expectation = this.expected.get(id);
    if (!expectation) return writing;
    expectation.row = writing.then(
      (written) => written && rowOf(written),
      () => null,
    );
    const written = await writing;
    expectation.onEnd();
    return written;
  }
}
