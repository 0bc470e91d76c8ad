import type { SinkRecord } from './sink.js';

/** Facility 13, audit, and severity 6, informational. */
const PRIORITY = 13 * 8 + 6;
/** Where RFC 5424 has a sequence begin anew. */
const LAST_SEQUENCE_ID = 2_147_483_647;

/** An entry as RFC 5424 has it, with its length before it (RFC 6587): the message itself is the entry's JSON. */
export function syslogFrame(record: SinkRecord, host: string): Buffer {
  const { number, kind, time } = record;
  const sequenceId = ((number - 1) % LAST_SEQUENCE_ID) + 1;
  const name = host.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';
  const head = `<${PRIORITY}>1 ${time.toISOString()} ${name} gatehouse - ${kind} [meta sequenceId="${sequenceId}"]`;
  const message = Buffer.from(`${head} ${JSON.stringify(record)}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}
