import type { HostRule, ResourcesInput } from '@gatehouse/client/operations';

/** A file of a draft. Text that can be edited is a string; everything else stays as the bytes that it is. */
export interface DraftFile {
  path: string;
  content: string | Uint8Array<ArrayBuffer>;
  executable: boolean;
}

/** How a secret is attached to requests, as it is typed. */
export interface SecretRow {
  name: string;
  header: string;
  value: string;
  /** Of the draft's hosts; none means all that the secret's value allows. */
  hosts: string[];
}

export interface DraftSettings {
  /** Empty: worked out from the files. */
  command: string;
  /** Empty: the usual installation. */
  build: string;
  timeout: number;
  /** What is not there is as usual. */
  resources: ResourcesInput;
  /** The tags that a worker must carry; none: any worker will do. */
  runsOn: string[];
  /** JSON as it is typed; empty: never tried again. */
  retry: string;
  /** Whether a run may begin once more after its worker was lost. */
  idempotent: boolean;
  /** JSON as it is typed; empty: any number of runs go on at once. */
  concurrency: string;
  /** JSON as it is typed; empty: a start waits for no further ones. */
  debounce: string;
  /** JSON as it is typed; empty: its runs have only those labels that their starts give. */
  labels: string;
  /** Whether its runs may have an interpreter that was there before them. */
  warm: boolean;
  /** Whether the command names a file that exports a function, which each run calls. */
  handler: boolean;
  /** JSON as it is typed; empty: each run has a process of its own. */
  keep: string;
  hosts: string[];
  /** Those of hosts that are not there count for nothing. */
  hostRules: HostRule[];
  secrets: SecretRow[];
  env: string[];
  /** JSON as it is typed; empty: one text input for each `{name}` of the command. */
  inputSchema: string;
  /** JSON as it is typed; empty: whatever the script returns. */
  outputSchema: string;
  readme: string;
}

/** The version that was made of a draft, and what the draft was then. */
export interface MadeVersion {
  number: number;
  fingerprint: string;
  inputSchema: Record<string, unknown>;
  /** What was said to be new in it. */
  message?: string;
}

/** What a draft was made of. */
export interface DraftBase {
  version: number;
  /** The number of the version that was published then, as far as the person knows; 0 for none. */
  published: number;
  /** The service tells of the published version's only. */
  readme: string;
}

export interface Draft {
  name: string;
  slug: string;
  description: string;
  files: DraftFile[];
  settings: DraftSettings;
  /** Whether the script is there already; its slug cannot be changed any more. */
  exists: boolean;
  made: MadeVersion | null;
  /** null: it was made of no version. */
  base: DraftBase | null;
  /** What is new in the version that is made next. */
  message?: string;
}

export const DEFAULT_TIMEOUT = 30;

export const EMPTY_SETTINGS: DraftSettings = {
  command: '',
  build: '',
  timeout: DEFAULT_TIMEOUT,
  resources: {},
  runsOn: [],
  retry: '',
  idempotent: false,
  concurrency: '',
  debounce: '',
  labels: '',
  warm: true,
  handler: false,
  keep: '',
  hosts: [],
  hostRules: [],
  secrets: [],
  env: [],
  inputSchema: '',
  outputSchema: '',
  readme: '',
};

export function newDraft(files: DraftFile[], settings: Partial<DraftSettings> = {}): Draft {
  return {
    name: '',
    slug: '',
    description: '',
    files: sortedByPath(files),
    settings: { ...EMPTY_SETTINGS, ...settings },
    exists: false,
    made: null,
    base: null,
  };
}

export function sortedByPath(files: DraftFile[]): DraftFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}
