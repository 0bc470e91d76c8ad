/** In days. null: for ever. */
export interface Retention {
  /** With what there is of their logs and files yet. */
  runs: number;
  logs: number;
  files: number;
  /** With what they fired. */
  events: number;
  /** With their attempts. */
  deliveries: number;
  /** Requests to hooks, with what came of them. */
  receipts: number;
  /** Of people with agents, since the last message. */
  conversations: number;
  audit: number | null;
}

export type RetentionKind = keyof Retention;
/** Kinds for which a plan may say more or less than the setting. */
export type PlanRetention = Pick<Retention, 'runs' | 'logs' | 'files'>;

interface KindRule {
  /** Unless it is said; of those that are part of others, as long as these. null: for ever. */
  default: number | null;
  least: number;
  /** The kind that it goes with at the latest. */
  within?: RetentionKind;
  byPlan: boolean;
}

/** What is deleted by its age. Each kind has one method with `@Expires`, or a moment in its rows. */
const RETENTION_KINDS: Readonly<Record<RetentionKind, KindRule>> = {
  runs: { default: 30, least: 1, byPlan: true },
  logs: { default: 30, least: 1, within: 'runs', byPlan: true },
  files: { default: 30, least: 1, within: 'runs', byPlan: true },
  events: { default: 30, least: 1, byPlan: false },
  deliveries: { default: 30, least: 1, within: 'events', byPlan: false },
  receipts: { default: 7, least: 1, byPlan: false },
  conversations: { default: 30, least: 1, byPlan: false },
  // The database refuses to delete younger entries.
  audit: { default: null, least: 366, byPlan: false },
};

const MOST_DAYS = 3650;
const KINDS = Object.keys(RETENTION_KINDS) as RetentionKind[];

/** What somebody has said. */
export type GivenRetention = Partial<Record<RetentionKind, number>>;

/**
 * Reads days by kind.
 *
 * @param where what the error says of whose they are
 * @throws Error that says what is wrong
 */
export function readRetention(
  given: Record<string, unknown>,
  where: string,
  { byPlan }: { byPlan: boolean },
): GivenRetention {
  const kinds = KINDS.filter((kind) => !byPlan || RETENTION_KINDS[kind].byPlan);
  for (const [kind, days] of Object.entries(given)) {
    const rule = kinds.some((one) => one === kind) ? RETENTION_KINDS[kind as RetentionKind] : null;
    if (!rule) throw new Error(`${where}${kind} is not known; there are ${kinds.join(', ')}`);
    if (!Number.isInteger(days) || (days as number) < rule.least || (days as number) > MOST_DAYS) {
      throw new Error(`${where}${kind} must be a whole number from ${rule.least} to ${MOST_DAYS}`);
    }
  }
  return given as GivenRetention;
}

/** The days of each kind. What goes with another is kept no longer than that. */
export function retentionOf(given: GivenRetention): Retention {
  const days = {} as Record<RetentionKind, number | null>;
  for (const kind of KINDS) {
    const { default: usual, within } = RETENTION_KINDS[kind];
    const longest = within === undefined ? null : days[within];
    const wanted = given[kind] ?? longest ?? usual;
    days[kind] = wanted === null || longest === null ? wanted : Math.min(wanted, longest);
  }
  return days as Retention;
}

/** As a setting has it: `runs=90,logs=14`. */
export function parseRetention(pairs: readonly string[]): GivenRetention {
  const given = pairs.map((pair) => {
    const [kind = '', days = ''] = pair.split('=').map((part) => part.trim());
    return [kind, /^\d+$/.test(days) ? Number(days) : days] as const;
  });
  return readRetention(Object.fromEntries(given), '', { byPlan: false });
}
