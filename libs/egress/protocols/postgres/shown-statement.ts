import { isUtf8 } from 'node:buffer';
import { cstringAt } from './messages.js';

/**
 * A statement with its parameters, as a person reads it.
 *
 * @param bind the body of a Bind; null: it has none
 * @param settings what the session has changed of how it is read, one character a byte
 */
export function shownStatement(sql: Buffer, bind: Buffer | null, settings: readonly string[]): Buffer {
  const before = settings.map((text) =>
    Buffer.from(`-- In this session: ${text.replace(/[\r\n]/g, ' ')}\n`, 'latin1'),
  );
  return Buffer.concat([...before, withParameters(sql, bind)]);
}

function withParameters(sql: Buffer, bind: Buffer | null): Buffer {
  if (bind === null) return sql;
  const shown = parametersIn(bind)?.map((value, at) => `$${at + 1} = ${value}`) ?? [
    'parameters that nobody can read',
  ];
  return shown.length === 0 ? sql : Buffer.concat([sql, Buffer.from(`\n\n${shown.join('\n')}`)]);
}

/** null: it is no Bind. */
function parametersIn(bind: Buffer): string[] | null {
  try {
    const portal = cstringAt(bind, 0)!;
    const name = cstringAt(bind, portal.length + 1)!;
    let at = portal.length + name.length + 2;
    const word = (): number => {
      at += 2;
      return bind.readUInt16BE(at - 2);
    };
    const formats = Array.from({ length: word() }, word);
    return Array.from({ length: word() }, (_, index) => {
      const length = bind.readInt32BE(at);
      at += 4;
      if (length < 0) return 'NULL';
      if (at + length > bind.length) throw new RangeError('too short');
      const value = bind.subarray(at, at + length);
      at += length;
      const format = formats.length === 1 ? formats[0] : (formats[index] ?? 0);
      return format === 0 && isUtf8(value)
        ? JSON.stringify(value.toString())
        : `\\x${value.toString('hex')} (${length} bytes)`;
    });
  } catch {
    return null;
  }
}
