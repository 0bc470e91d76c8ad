import { merge } from 'node-diff3';

import { type Draft, type DraftFile, type DraftSettings, sortedByPath } from './draft.js';

/** Finding what two texts have in common takes quadratic time where many lines are the same. */
const MOST_LINES = 5_000;

export interface TakenIn {
  draft: Draft;
  /** The files that both have changed at the same lines: both stand there, between marks. */
  marked: string[];
  /** What both have changed and cannot stand there together: it is as in the draft. */
  kept: string[];
}

const LABELS: Record<keyof DraftSettings, string> = {
  command: 'the command',
  build: 'the installation',
  timeout: 'the time limit',
  resources: 'what a run may use',
  runsOn: 'which workers run it',
  retry: 'when it is tried again',
  idempotent: 'whether it may begin again',
  concurrency: 'how many run at once',
  debounce: 'how long it waits for further starts',
  labels: 'the labels',
  handler: 'whether a function is called',
  keep: 'whether its process stays',
  warm: 'whether its interpreter may start ahead',
  hosts: 'the hosts',
  hostRules: 'the rules of hosts',
  secrets: 'the secrets',
  env: 'the environment variables',
  inputSchema: 'the input schema',
  outputSchema: 'the output schema',
  readme: 'the readme',
};

/** A draft with what another version changed of the one that the draft was made of. */
export function takenIn(mine: Draft, base: Draft, theirs: Draft): TakenIn {
  const marked: string[] = [];
  const kept: string[] = [];
  const [own, old, other] = [mine, base, theirs].map(
    ({ files }) => new Map(files.map((file) => [file.path, file])),
  ) as [Map<string, DraftFile>, Map<string, DraftFile>, Map<string, DraftFile>];
  const files = [...new Set([...own.keys(), ...other.keys()])].flatMap((path): DraftFile[] => {
    const [here, before, there] = [own.get(path), old.get(path), other.get(path)];
    if (isSame(there, before) || isSame(here, there)) return listOf(here);
    if (isSame(here, before)) return listOf(there);
    const merged = mergedFile(here, before, there);
    if (!merged) kept.push(path);
    else if (merged.hasMarks) marked.push(path);
    return merged ? [merged.file] : listOf(here);
  });
  const settings = { ...mine.settings };
  for (const name of Object.keys(LABELS) as (keyof DraftSettings)[]) {
    const [here, before, there] = [mine, base, theirs].map((draft) => JSON.stringify(draft.settings[name]));
    if (there === before || there === here) continue;
    if (here === before) Object.assign(settings, { [name]: theirs.settings[name] });
    else kept.push(LABELS[name]);
  }
  return { draft: { ...mine, files: sortedByPath(files), settings, base: theirs.base }, marked, kept };
}

function listOf(file: DraftFile | undefined): DraftFile[] {
  return file ? [file] : [];
}

function isSame(one: DraftFile | undefined, other: DraftFile | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.executable !== other.executable) return false;
  const [a, b] = [one.content, other.content];
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** null: they cannot be put together. */
function mergedFile(
  here: DraftFile | undefined,
  before: DraftFile | undefined,
  there: DraftFile | undefined,
): { file: DraftFile; hasMarks: boolean } | null {
  const lines = [here, before ?? { content: '' }, there].map((file) =>
    typeof file?.content === 'string' ? file.content.split('\n') : null,
  );
  const [own, old, other] = lines;
  if (!here || !own || !old || !other || lines.some((each) => each!.length > MOST_LINES)) return null;
  const { conflict, result } = merge(own, old, other, { label: { a: 'yours', b: 'published' } });
  return { file: { ...here, content: result.join('\n') }, hasMarks: conflict };
}
