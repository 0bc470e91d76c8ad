import { diffLines } from 'diff';
import { diff3Merge } from 'node-diff3';

/** Finding what texts have in common takes quadratic time where many lines are the same. */
const MOST_LINES = 5_000;
const MOST_BYTES = 1024 * 1024;

const MINE = '<<<<<<< this folder';
const BETWEEN = '=======';
const THEIRS = '>>>>>>> ';

export interface MergedText {
  text: string;
  /** Whether both have changed the same lines: these stand there one after the other, between marks. */
  hasMarks: boolean;
}

/** What content is as lines of text; null where it is none, or too long to be compared. */
export function textOf(content: Buffer): string | null {
  if (content.length > MOST_BYTES || content.includes(0)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    return text.split('\n').length > MOST_LINES ? null : text;
  } catch {
    return null;
  }
}

/**
 * Brings two texts together, as Git does.
 *
 * @param base what both were made of; null: nobody knows, so that each difference is a conflict
 * @param name what theirs is called at the marks
 */
export function mergeTexts(mine: string, base: string | null, theirs: string, name: string): MergedText {
  const regions = base === null ? differencesOf(mine, theirs) : regionsOf(mine, base, theirs);
  const lines = regions.flatMap((region) =>
    'same' in region ? region.same : [MINE, ...region.mine, BETWEEN, ...region.theirs, `${THEIRS}${name}`],
  );
  return { text: lines.join('\n'), hasMarks: regions.some((region) => !('same' in region)) };
}

/** Whether a text still has such marks in it. */
export function hasMarks(text: string): boolean {
  const lines = text.split('\n');
  return lines.includes(MINE) && lines.some((line) => line.startsWith(THEIRS));
}

type Region = { same: string[] } | { mine: string[]; theirs: string[] };

function regionsOf(mine: string, base: string, theirs: string): Region[] {
  const options = { excludeFalseConflicts: true };
  const [own, old, other] = [mine, base, theirs].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  return diff3Merge(own, old, other, options).map(({ ok, conflict }) =>
    ok ? { same: ok } : { mine: conflict!.a, theirs: conflict!.b },
  );
}

function differencesOf(mine: string, theirs: string): Region[] {
  const regions: Region[] = [];
  for (const { value, added, removed } of diffLines(`${mine}\n`, `${theirs}\n`)) {
    const lines = value.split('\n').slice(0, -1);
    const last = regions.at(-1);
    if (!added && !removed) regions.push({ same: lines });
    else if (added && last && 'mine' in last) last.theirs.push(...lines);
    else regions.push(removed ? { mine: lines, theirs: [] } : { mine: [], theirs: lines });
  }
  return regions;
}
