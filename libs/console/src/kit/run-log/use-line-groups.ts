import { useCallback, useMemo, useState } from 'react';

import { LineGroups } from './line-groups.js';
import type { RunLogState } from './run-log.js';

interface Folds {
  /** Of all groups that have ended; null: nobody has said. */
  all: boolean | null;
  /** Of single groups, by the numbers of their first lines. */
  own: ReadonlyMap<number, boolean>;
}

export interface LogGroups {
  lines: LineGroups;
  /** @param header the position of the group's first line */
  toggle: (header: number) => void;
  areAllOpen: boolean;
  openAll: (open: boolean) => void;
}

const NONE: Folds = { all: null, own: new Map() };

/** The groups of a log: those that have ended are folded, unless somebody opens them or a line of theirs is chosen. */
export function useLineGroups({ lines, numbers }: RunLogState, chosen: number | null): LogGroups {
  const [folds, setFolds] = useState(NONE);
  const chosenAt = chosen === null ? -1 : numbers.indexOf(chosen);
  const groups = useMemo(() => {
    const holdsChosen = (header: number, end: number | null): boolean =>
      chosenAt > header && (end === null || chosenAt < end);
    return new LineGroups(
      (header, end) =>
        folds.own.get(numbers[header]!) ?? (holdsChosen(header, end) || (folds.all ?? end === null)),
    );
  }, [lines, numbers, folds, chosenAt]);
  const toggle = useCallback(
    (header: number): void => {
      const isOpen = groups.at(header)?.isOpen ?? false;
      setFolds(({ all, own }) => ({ all, own: new Map(own).set(numbers[header]!, !isOpen) }));
    },
    [groups, numbers],
  );
  return {
    lines: groups.update(lines),
    toggle,
    areAllOpen: folds.all === true,
    openAll: (all) => setFolds({ all, own: new Map() }),
  };
}
