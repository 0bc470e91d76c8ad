import type { Run } from '@gatehouse/client/operations';

export type ComparedRun = Pick<Run, 'version' | 'inputs' | 'network'>;

export interface Difference {
  kind: 'version' | 'input' | 'host';
  /** Of the version, nothing: there is but one. */
  name: string;
  before: string;
  now: string;
}

const LONGEST = 60;
/** More are not read by anybody. */
const MOST = 20;

/** What of a run is not as in an earlier one: its version, its inputs, and the hosts that it reached or was refused. */
export function differencesOf(run: ComparedRun, earlier: ComparedRun): Difference[] {
  const found: Difference[] = [];
  if (run.version !== earlier.version) {
    found.push({ kind: 'version', name: '', before: `${earlier.version}`, now: `${run.version}` });
  }
  const [inputs, then] = [run.inputs ?? {}, earlier.inputs ?? {}];
  for (const name of namesIn(inputs, then)) {
    const [before, now] = [JSON.stringify(then[name]), JSON.stringify(inputs[name])];
    if (before !== now) found.push({ kind: 'input', name, before: short(before), now: short(now) });
  }
  const [hosts, before] = [hostWords(run), hostWords(earlier)];
  for (const name of namesIn(hosts, before)) {
    const [was, is] = [before[name] ?? 'not asked', hosts[name] ?? 'not asked'];
    if (was !== is) found.push({ kind: 'host', name, before: was, now: is });
  }
  return found.slice(0, MOST);
}

function hostWords({ network }: ComparedRun): Record<string, string> {
  return Object.fromEntries(
    (network ?? []).map(({ host, denied }) => [host, denied > 0 ? 'refused' : 'reached']),
  );
}

function namesIn(...records: object[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].sort();
}

function short(json: string | undefined): string {
  if (json === undefined) return 'not given';
  return json.length > LONGEST ? `${json.slice(0, LONGEST - 1)}…` : json;
}
