import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import { fuzz } from '../../../fuzz/index.js';
import { PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, startPostgres } from '../../test/postgres-server.js';
import { say } from '../../test/raw-postgres.js';
import { type FrameHandler, Frames, type Verdict } from './frames.js';
import { Judge } from './judge.js';
import { int32, message, TYPE } from './messages.js';

const OK = message(TYPE.authentication, int32(0));
const READY = message(TYPE.ready, Buffer.from('I'));
const QUIET_MS = 30;
const DENIED = { status: 403, code: 'request_not_approved', reason: 'no', message: 'No.' } as const;

const body = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const letter = fc.constantFrom(...'QPBEDCHSFXdcfpZRK').map((text) => text.charCodeAt(0));
const whole = fc.tuple(letter, body).map(([type, bytes]) => message(type, bytes));
const lying = fc
  .tuple(letter, fc.integer(), body)
  .map(([type, length, bytes]) => Buffer.concat([Buffer.from([type]), int32(length), bytes]));
const startup = fc.oneof(
  { weight: 6, arbitrary: fc.constant(say.startup({ user: 'x', application_name: 'y' })) },
  fc
    .tuple(fc.integer(), fc.integer(), body)
    .map(([length, code, bytes]) => Buffer.concat([int32(length), int32(code), bytes])),
  fc.constantFrom(80_877_102, 80_877_103, 80_877_104).map((code) => Buffer.concat([int32(8), int32(code)])),
  fc.dictionary(fc.string({ minLength: 1 }), fc.string()).map((parameters) => say.startup(parameters)),
);
const sql = fc.constantFrom(
  'SELECT 1',
  'INSERT INTO t VALUES (1)',
  'BEGIN',
  'COMMIT',
  "SET a = '",
  'COPY t FROM STDIN',
  'EXECUTE n',
  'SELECT 1; EXPLAIN ANALYZE EXECUTE n',
);
const usual = fc.oneof(
  sql.map(say.query),
  sql.map((text) => say.run(text)),
  sql.map((text) => say.parse(text, 'n')),
  fc.constantFrom(say.sync, say.flush, say.copyDone, say.copyData('x'), say.bind('n'), say.execute()),
  fc.constant(say.close('n')),
);
const conversation = fc.record({
  start: startup,
  messages: fc.array(fc.oneof({ weight: 4, arbitrary: usual }, whole, lying), { maxLength: 8 }),
  cuts: fc.array(fc.nat(400), { maxLength: 4 }),
});

describe('PostgreSQL at the gate, fuzzed', { timeout: 300_000 }, () => {
  it('lets out only what may go, and goes on', async () => {
    const [plain, judged, asking] = [await startHearing(), await startHearing(), await startHearing()];
    const gates = [
      await PostgresGate.open(plain.port, { maxConnections: 1_000 }),
      await PostgresGate.open(judged.port, { maxConnections: 1_000, readOnly: true, role: 'reader' }),
      await PostgresGate.open(asking.port, { maxConnections: 1_000, asks: true }),
    ];
    gates[2]!.decide = () => Promise.resolve(DENIED);
    await fuzz(
      'PostgreSQL of the gate',
      fc.asyncProperty(conversation, fc.nat(2), async ({ start, messages, cuts }, which) => {
        await talk(await gates[which]!.raw(), Buffer.concat([start, ...messages]), cuts);
        for (const own of [...plain.heard, ...judged.heard, ...asking.heard]) {
          const said = Buffer.concat(own);
          if (said.length > 0) expect(said.readUInt32BE(4)).toBe(0x30000);
          expect(said.includes('replication')).toBe(false);
        }
        // The judged one passes on no statement that writes.
        for (const statement of judged.heard.flatMap((own) => statementsIn(Buffer.concat(own))))
          expect(statement).not.toContain('INSERT');
        // Of what was denied, no more than how it would be prepared.
        for (const own of asking.heard) expect(writesIn(Buffer.concat(own))).toBe(false);
        asking.heard.splice(0, asking.heard.length - 1);
        plain.heard.splice(0, plain.heard.length - 1);
        judged.heard.splice(0, judged.heard.length - 1);
      }),
      { runs: 400 },
    );
    for (const gate of gates) {
      expect((await gate.client()).connection.stream.destroyed).toBe(false);
      await gate.close();
    }
    plain.server.close();
    judged.server.close();
    asking.server.close();
  });

  it('follows messages cut anywhere as if they came whole', async () => {
    const verdicts: Record<string, Verdict> = { p: 'pass', h: 'hold', a: 'announce', d: 'drop', s: 'stop' };
    const typed = fc
      .tuple(fc.constantFrom(...Object.keys(verdicts)), body)
      .map(([name, bytes]) => message(name.charCodeAt(0), bytes));
    await fuzz(
      'messages of PostgreSQL',
      fc.property(
        fc.array(typed, { maxLength: 12 }),
        fc.array(fc.nat(300), { maxLength: 12 }),
        (messages, cuts) => {
          const read = (places: number[]): string => {
            const seen: string[] = [];
            let hasStopped = false;
            const handler: FrameHandler = {
              header: (type) => {
                const verdict = verdicts[String.fromCharCode(type)]!;
                if (verdict !== 'stop') return verdict;
                hasStopped = !hasStopped;
                return hasStopped ? 'stop' : 'pass';
              },
              held: (type, one) => seen.push(`<held ${type} ${one.toString('hex')}>`),
              announced: (type) => seen.push(`<announced ${type}>`),
              dropped: (type) => seen.push(`<dropped ${type}>`),
              pass: (bytes) => seen.push(bytes.toString('hex')),
              malformed: () => seen.push('<malformed>'),
            };
            const frames = new Frames(handler);
            for (const piece of pieces(Buffer.concat(messages), places))
              for (let rest: Buffer | null = piece; rest;) rest = frames.read(rest);
            expect(frames.isBetween).toBe(true);
            return seen.join('');
          };
          expect(read(cuts)).toBe(read([]));
        },
      ),
      { runs: 1_000 },
    );
  });

  describe('beside a real server', () => {
    let server: PostgresServer;

    beforeAll(async () => {
      server = await startPostgres(new CertificateAuthority());
      await server.admin.query('CREATE TABLE kept (n int)');
    });
    afterAll(() => server.close());

    /** Pieces that would write if the judge read where a string, a name or a comment ends otherwise than the server. */
    const quotes = [
      "'",
      "''",
      '"',
      '""',
      '$$',
      '$a$',
      '/*',
      '*/',
      '--',
      '\n',
      "E'",
      "U&'",
      "B'",
      "N'",
      '\\',
      "\\'",
    ];
    const text = fc
      .array(
        fc.oneof(fc.constantFrom(...quotes), fc.constantFrom('x', ' ', '1', ',', '(', ')', '$1', '\u00e9')),
        {
          maxLength: 8,
        },
      )
      .map((pieces) => pieces.join(''));
    const closing = fc.constantFrom("'", '"', '$$', '$a$', '*/', '', "\\'", '\n', "''", '--');
    // What often closes nothing, so that few inputs show something, too.
    const quoted = fc.oneof(text, fc.constantFrom('1', "'x'", '/* x */'));
    const attack = fc
      .tuple(quoted, closing, quoted, closing)
      .map(([one, end, two, last]) => `SELECT ${one}${end}; INSERT INTO kept VALUES (1) ${two}${last}`);

    it('reads SQL as the server does: what the judge lets pass writes nothing', async () => {
      const judge = new Judge({ readOnly: true, role: null, statementTimeoutMs: null });
      let passed = 0;
      let written = 0;
      await fuzz(
        'SQL of PostgreSQL',
        fc.asyncProperty(attack, async (statement) => {
          const { refusal } = judge.judge(Buffer.from(statement));
          await server.admin.query(statement).catch(() => undefined);
          const { rowCount } = await server.admin.query('DELETE FROM kept');
          if (refusal) written += rowCount!;
          else passed += 1;
          expect(refusal === null ? rowCount : 0).toBe(0);
        }),
        { runs: 4_000 },
      );
      // Otherwise it would have said nothing about either.
      expect(passed).toBeGreaterThan(0);
      expect(written).toBeGreaterThan(0);
    });
  });
});

/** A server that lets anybody in, is always ready, and keeps what each connection brings. */
async function startHearing(): Promise<{ server: net.Server; port: number; heard: Buffer[][] }> {
  const heard: Buffer[][] = [];
  const server = net.createServer((socket) => {
    let isOpen = false;
    const own: Buffer[] = [];
    heard.push(own);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      own.push(chunk);
      socket.write(isOpen ? READY : Buffer.concat([OK, READY]));
      isOpen = true;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port, heard };
}

async function talk(socket: net.Socket, bytes: Buffer, cuts: number[]): Promise<void> {
  let quiet: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    const wait = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(resolve, QUIET_MS);
    };
    socket.on('data', wait).once('close', () => resolve());
    wait();
  });
  for (const piece of pieces(bytes, cuts)) socket.write(piece);
  await over;
  clearTimeout(quiet);
  socket.destroy();
}

function pieces(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (one, other) => one - other,
  );
  return places.map((place, at) => bytes.subarray(places[at - 1] ?? 0, place));
}

/** Whether INSERT stands in a Query, or a portal is bound to a statement with it, which EXECUTE could be, too. */
function writesIn(said: Buffer): boolean {
  const writing = new Set<string>();
  return messagesIn(said).some((one) => {
    const [type, [first = '', second = '']] = [one[0], one.slice(5).split('\0')];
    if (type === 'P') writing[second.includes('INSERT') ? 'add' : 'delete'](first);
    if (type === 'C' && first.startsWith('S')) writing.delete(first.slice(1));
    return (type === 'Q' && /INSERT|EXECUTE/.test(first)) || (type === 'B' && writing.has(second));
  });
}

/** What stands in each Query and Parse behind a start-up message. */
function statementsIn(said: Buffer): string[] {
  return messagesIn(said).filter(([type]) => 'QP'.includes(type!));
}

function messagesIn(said: Buffer): string[] {
  const messages: string[] = [];
  for (
    let at = said.length < 4 ? 0 : said.readUInt32BE(0);
    at + 5 <= said.length;
    at += said.readUInt32BE(at + 1) + 1
  )
    messages.push(said.subarray(at, at + said.readUInt32BE(at + 1) + 1).toString('latin1'));
  return messages;
}
