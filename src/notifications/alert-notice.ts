/** Something that a rule alerts to. Texts are people's and scripts': a channel escapes them as it must. */
export interface AlertedEvent {
  /** Which condition of the rule it meets, such as `failed`. */
  condition: string;
  /** What happened, in one line. */
  text: string;
  /** In the words of the run, masked; null: there are none. */
  error: string | null;
  script: { slug: string; name: string } | null;
  runId: string | null;
  /** When it happened, ISO 8601. */
  at: string;
}

/** What happened since the rule's last message, as one message. */
export interface AlertNotice {
  /** The same in each attempt. */
  id: string;
  /** Somebody tries the rule: nothing has happened. */
  test: boolean;
  workspace: { id: string; slug: string; name: string };
  rule: { id: string; name: string };
  /** The one thing that it is about, where the channel has `alertsByIncident`; null: the whole rule, or a test. */
  incident: string | null;
  /** The whole in one line. */
  title: string;
  /** How many events there are. */
  count: number;
  /** How many of each condition. */
  conditions: Record<string, number>;
  /** The first ten of them. Of an incident, the last one is always among them. */
  events: AlertedEvent[];
  /** The last 20 lines, at most, of the log of the newest run that failed, masked; empty where none did. */
  log: string[];
  /** The page of that run, or of the rules. */
  link: string;
}

/** Where an alert goes, and for how long. */
export interface AlertOptions {
  /** The address that the rule names; null: the channel needs none. It is a secret. */
  url: string | null;
  /** Mail addresses of members, where the channel writes to people. */
  to: readonly string[];
  /** Aborted when the time is up or the process stops. */
  signal: AbortSignal;
}
