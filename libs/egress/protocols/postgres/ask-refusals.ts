import type { SqlError } from './messages.js';

/** Why a statement does not pass where a person is asked. */
export function refusal(text: string, hint?: string): SqlError {
  return { severity: 'ERROR', code: '42501', message: text, hint };
}

export const NOT_FIRST = refusal(
  'A statement that may write passes the gate only outside of a transaction, or directly behind BEGIN.',
  'Switch auto-commit on, or send BEGIN by itself, and the statement directly behind it: what came before it was kept from writing. JDBC does so with preferQueryMode=simple.',
);
export const NOT_AT_ONCE = refusal(
  'The gate cannot ask a person about this statement.',
  'Send Bind and Execute of a statement that may write directly one after the other.',
);
export const NOT_SHOWN = refusal(
  'In a transaction that writes, a person is asked about each statement, and cannot be shown this one.',
  'Send the statement itself, not one that was prepared before.',
);

export const TOO_LONG = refusal(
  'A person could not be shown all of this statement: with its parameters it has more than 64 KiB, or is not UTF-8.',
  'Send less at a time, as UTF-8.',
);
export const TOO_MANY = refusal(
  'The gate keeps at most 64 prepared statements that may write, of 128 KiB together.',
  'Close those that are not used any more.',
);
export const HIDDEN_SETTING = refusal(
  'By this setting later statements may mean something else, and a person could not be shown its value.',
  'Write the value into set_config, in plain quotes.',
);
export const TOO_MANY_SETTINGS = refusal(
  'This session has changed more settings than a person could be shown with the statement.',
  'Open a connection for each of them.',
);
