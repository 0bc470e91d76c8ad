export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** null: it begins its trace. */
  parentId: string | null;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** In milliseconds since 1970. */
  begin: number;
  end: number;
  attributes: Record<string, string | number | boolean>;
  failed: boolean;
  /** Of the process that it comes from. */
  resource: Record<string, string | number | boolean>;
}

/** The fields of a protobuf message, by their numbers. */
type Fields = Map<number, (Buffer | bigint)[]>;

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR = 2n;

/**
 * The spans of an `ExportTraceServiceRequest`. Numbers of fields as in the `.proto` files of OTLP 1.
 *
 * @throws RangeError where it is no protobuf
 */
export function readExport(body: Buffer): CollectedSpan[] {
  return messages(read(body), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const about = attributes(resource ? messages(resource, 1) : []);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({ ...spanOf(span), resource: about }));
  });
}

export interface CollectedLog {
  body: string;
  attributes: CollectedSpan['attributes'];
  resource: CollectedSpan['resource'];
}

/** The records of an `ExportLogsServiceRequest`. */
export function readLogs(request: Buffer): CollectedLog[] {
  return messages(read(request), 1).flatMap((resourceLogs) => {
    const [resource] = messages(resourceLogs, 1);
    const about = attributes(resource ? messages(resource, 1) : []);
    return messages(resourceLogs, 2)
      .flatMap((scopeLogs) => messages(scopeLogs, 2))
      .map((record) => ({
        body: String(valueOf(messages(record, 5)[0]!)),
        attributes: attributes(messages(record, 6)),
        resource: about,
      }));
  });
}

function spanOf(span: Fields): Omit<CollectedSpan, 'resource'> {
  const [status] = messages(span, 15);
  return {
    traceId: bytes(span, 1).toString('hex'),
    spanId: bytes(span, 2).toString('hex'),
    parentId: bytes(span, 4).toString('hex') || null,
    name: bytes(span, 5).toString(),
    kind: KINDS[Number(number(span, 6))]!,
    begin: Number(number(span, 7)) / 1e6,
    end: Number(number(span, 8)) / 1e6,
    attributes: attributes(messages(span, 9)),
    failed: status !== undefined && number(status, 3) === ERROR,
  };
}

function attributes(pairs: Fields[]): CollectedSpan['attributes'] {
  return Object.fromEntries(pairs.map((pair) => [bytes(pair, 1).toString(), valueOf(messages(pair, 2)[0]!)]));
}

function valueOf(value: Fields): string | number | boolean {
  const [field, [found]] = [...value][0] as [number, [Buffer | bigint]];
  if (field === 1) return (found as Buffer).toString();
  if (field === 2) return found === 1n;
  if (field === 3) return Number(found);
  throw new RangeError(`a value of the kind ${field}`);
}

function messages(fields: Fields, field: number): Fields[] {
  return (fields.get(field) ?? []).map((value) => read(value as Buffer));
}

function bytes(fields: Fields, field: number): Buffer {
  return (fields.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

function number(fields: Fields, field: number): bigint {
  return (fields.get(field)?.[0] as bigint | undefined) ?? 0n;
}

function read(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError('a field goes beyond its message');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const [field, type] = [Number(tag >> 3n), Number(tag & 7n)];
    const value =
      type === 0
        ? varint()
        : type === 1
          ? take(8).readBigUInt64LE()
          : type === 5
            ? BigInt(take(4).readUInt32LE())
            : take(Number(varint()));
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}
