import type { ScriptVersion } from '@gatehouse/client/operations';

import { inputLines } from './input-lines.js';
import { keepLines } from './keep-lines.js';
import { listed, permissionsOf } from './permissions.js';
import { resourceLines } from './resource-lines.js';

/** What is said of a version elsewhere: which one it is, who made it and when, its archive, and whether it is in use. */
type Aside =
  | ('id' | 'number' | 'message' | 'createdAt' | 'createdBy' | 'createdVia')
  | ('published' | 'publishedAt' | 'archiveBytes' | 'archiveSha256' | 'buildLog');

/** How a version runs, besides its command and time: a line for all that is not as usual. A new field does not compile before it has one. */
const BEHAVIOUR = {
  keep: keepLines,
  resources: resourceLines,
  // Among the lines of the resources.
  runsOn: () => [],
  retry: retryLines,
  idempotent: ({ idempotent }) =>
    idempotent ? ['begins once more where its worker died: it is said to do no harm by that'] : [],
  concurrency: concurrencyLines,
  debounce: debounceLines,
  labels: ({ labels }) =>
    Object.entries(labels).map(([name, text]) => `labels its runs with \`${name}\`: \`${text}\``),
  warm: ({ warm }) => (warm ? [] : ['begins in a new interpreter, never in one that was started ahead']),
} satisfies Partial<Record<keyof ScriptVersion, (version: ScriptVersion) => string[]>>;

const RUNNING: Record<
  Exclude<keyof ScriptVersion, Aside | 'secrets' | 'hosts' | 'hostRules' | 'env'>,
  (version: ScriptVersion) => string[]
> = {
  command: ({ command }) => [`runs \`${command}\``],
  handler: ({ handler }) => (handler ? ['calls the function that its file exports'] : []),
  timeoutSeconds: ({ timeoutSeconds }) => [`may take ${timeoutSeconds} seconds`],
  ...BEHAVIOUR,
  build: ({ build }) => (build === null ? [] : [`is installed by \`${build}\``]),
  inputSchema: ({ inputSchema }) => [
    ...inputLines(inputSchema).map((line) => `takes ${line}`),
    ...schemaLines(unsaid(inputSchema), 'inputs'),
  ],
  outputSchema: ({ outputSchema }) =>
    outputSchema === null ? [] : ['has its output checked', ...schemaLines(outputSchema, 'output')],
};

/** Everything of a version but its files, a line each; names stand in backticks. What differs is seen line by line. */
export const linesOf = (version: ScriptVersion): string[] => [
  ...permissionsOf(version),
  ...runningLines(version),
];

/** The same without what it may reach, and with which secrets. */
export const runningLines = (version: ScriptVersion): string[] =>
  Object.values(RUNNING).flatMap((lines) => lines(version));

/** What of it is not as usual. */
export const behaviourLines = (version: ScriptVersion): string[] =>
  Object.values(BEHAVIOUR).flatMap((lines) => lines(version));

/** A line for each keyword of a schema, by its path, so that what differs is seen by itself. */
function schemaLines(schema: unknown, what: string, path: readonly string[] = []): string[] {
  const isBranch = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  if (isBranch)
    return Object.entries(schema).flatMap(([name, value]) => schemaLines(value, what, [...path, name]));
  return [`holds its ${what} to \`${path.join('.')}\` \`${JSON.stringify(schema)}\``];
}

/** The keywords of a schema that the lines of its inputs do not say. */
function unsaid({ properties, ...schema }: ScriptVersion['inputSchema']): object {
  const rest = Object.entries((properties ?? {}) as Record<string, unknown>).map(([name, property]) => {
    if (typeof property !== 'object' || property === null) return [name, property];
    const {
      type,
      enum: choices,
      description: _,
      default: __,
      ...others
    } = property as Record<string, unknown>;
    const isSaid = typeof type === 'string' && choices === undefined && others['format'] === undefined;
    return [name, isSaid ? others : { ...others, ...(type !== undefined && { type }) }];
  });
  return { ...schema, properties: Object.fromEntries(rest) as object };
}

function retryLines({ retry }: ScriptVersion): string[] {
  if (retry === null) return [];
  const { attempts, delay, factor, maxDelay, jitter = 0, on } = retry;
  return [
    `is tried up to ${attempts} times where it ends with ${listed(on)}, first after ${delay} seconds, each wait ${factor} times the one before, ${maxDelay} seconds at most${jitter > 0 ? `, ${Math.round(jitter * 100)} % of it random` : ''}`,
  ];
}

const WHERE_FULL = {
  queue: 'others wait',
  replace: 'the oldest is cancelled for a new one',
  skip: 'others are cancelled',
} as const;

function concurrencyLines({ concurrency }: ScriptVersion): string[] {
  if (concurrency === null) return [];
  const { limit, key, onLimit } = concurrency;
  const times = limit === 1 ? 'once' : `${limit} times`;
  return [`goes on ${times} at a time${keyText(key)}; ${WHERE_FULL[onLimit]}`];
}

function debounceLines({ debounce }: ScriptVersion): string[] {
  if (debounce === null) return [];
  const { key, wait, maxWait } = debounce;
  return [
    `waits ${wait} seconds for further starts${keyText(key)}, which take its place, ${maxWait} seconds at most`,
  ];
}

const keyText = (key: string | null): string => (key === null ? '' : ` for each \`${key}\``);
