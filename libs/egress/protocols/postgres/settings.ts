/** Settings that change how a session reads and shows things, and nothing that it may do. */
const HARMLESS = new Set([
  ...['application_name', 'bytea_output', 'client_encoding', 'client_min_messages', 'constraint_exclusion'],
  ...['cursor_tuple_fraction', 'datestyle', 'default_statistics_target', 'default_transaction_deferrable'],
  ...['default_transaction_isolation', 'effective_cache_size', 'effective_io_concurrency'],
  ...['extra_float_digits', 'from_collapse_limit', 'geqo', 'gin_fuzzy_search_limit', 'hash_mem_multiplier'],
  ...['idle_in_transaction_session_timeout', 'idle_session_timeout', 'intervalstyle', 'jit'],
  ...['join_collapse_limit', 'lc_messages', 'lc_monetary', 'lc_numeric', 'lc_time', 'lock_timeout'],
  ...['max_parallel_workers_per_gather', 'plan_cache_mode', 'quote_all_identifiers', 'random_page_cost'],
  ...[
    'row_security',
    'search_path',
    'seq_page_cost',
    'statement_timeout',
    'synchronize_seqscans',
    'timezone',
  ],
  ...['tcp_keepalives_count', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_user_timeout'],
  ...['temp_buffers', 'transaction_deferrable', 'transaction_isolation', 'transaction_timeout', 'work_mem'],
  ...['xmlbinary', 'xmloption'],
]);
/** Encodings in which each byte below 128 is its ASCII character: the gate and the server read the same text. */
const ENCODING = /^(?:utf8|unicode|sqlascii|latin\d{1,2}|iso8859\d{1,2}|win\d{3,4}|windows125\d|koi8[ru]?)$/;
const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const PLANNER = /^enable_[a-z_]+$/;

/** Those of them under which the same statement may mean something else. */
const READ_BY = new Set([
  ...[
    'client_encoding',
    'datestyle',
    'intervalstyle',
    'lc_monetary',
    'lc_numeric',
    'lc_time',
    'row_security',
  ],
  ...['search_path', 'timezone', 'xmloption'],
]);

/** @param name in lower case */
export function isHarmless(name: string): boolean {
  return HARMLESS.has(name) || PLANNER.test(name);
}

export function isSafeEncoding(value: string): boolean {
  return ENCODING.test(value.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Whether under what a server reports it would read SQL otherwise than the gate. */
export function isReadOtherwise({ name, value }: { name: string; value: string }): boolean {
  if (name === 'client_encoding') return !isSafeEncoding(value);
  return name === 'standard_conforming_strings' && value !== 'on';
}

/** Settings that may be switched on where they may not be switched off. */
const SWITCHES = new Set([
  'default_transaction_read_only',
  'standard_conforming_strings',
  'transaction_read_only',
]);

/** Whether a setting is only set as the gate has it anyway. @param name in lower case */
export function isSwitchedOn(name: string, value: string | null): boolean {
  return SWITCHES.has(name) && (value?.toLowerCase() === 'on' || value?.toLowerCase() === 'true');
}

/** Whether a statement may mean something else under another value of it. @param name in lower case */
export function isReadBy(name: string): boolean {
  return READ_BY.has(name) || !(isHarmless(name) || SWITCHES.has(name));
}

const MAX_TIME_LENGTH = 32;

/** Whether a statement ends no later with it. Less than 1 ms may stand for no time-out at all. */
export function isTimeWithin(value: string, most: number): boolean {
  const time = timeOf(value);
  return time !== null && time >= 1 && time <= most;
}

/** @returns what a time-out stands for, in ms; null when it is no time */
export function timeOf(value: string): number | null {
  if (value.length > MAX_TIME_LENGTH) return null;
  const [, number = '', unit = 'ms'] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)?\s*$/.exec(value) ?? [];
  const factor = UNITS[unit];
  return number === '' || factor === undefined ? null : Number(number) * factor;
}
