/** What `new Gatehouse()` takes. */
export interface GatehouseOptions {
  /** Where the service is, such as `https://gatehouse.example.com`. */
  baseUrl: string;
  /**
   * A personal access token (`svc_pat_…`) or a workspace API key (`svc_sk_…`). A function is asked before each request,
   * for tokens that are renewed.
   */
  token: string | (() => string | Promise<string>);
  /** The workspace's slug. A personal access token needs it; an API key has its own. */
  workspace?: string;
  /** The environment to act in, by name. Without it, the workspace's default. */
  environment?: string;
  /** How often a request is tried again after it failed in passing. @default 3 */
  retries?: number;
  /** How long to wait for a response to begin, in milliseconds. @default 120_000 */
  timeoutMs?: number;
  /**
   * Reads and writes JSON in place of `JSON`, which changes numbers that JavaScript cannot hold, such as `9007199254740993`: what
   * `lossless-json` exports, for one.
   */
  json?: { parse(text: string): unknown; stringify(value: unknown): string | undefined };
  /** Used in place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** What each method takes as its last argument. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Of a write: the same key makes it happen once, also when two programs send it. Each write has one of its own otherwise. */
  idempotencyKey?: string;
  retries?: number;
  timeoutMs?: number;
}
