import type { ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

/**
 * A host that says whatever it is asked to, drop by drop: each drop when the script asks for it, so that what the
 * script has by then does not depend on anybody's speed.
 */
async function drippingHost(): Promise<number> {
  let stream: ServerResponse | undefined;
  return attacker.upstreams.start((request, response) => {
    const url = new URL(request.url ?? '/', 'https://localhost');
    if (url.pathname === '/stream') {
      response.writeHead(200, { date: 'now' });
      response.write(url.searchParams.get('say') ?? '');
      stream = response;
      return;
    }
    response.end('ok');
    const say = url.searchParams.get('say');
    if (say === null) stream!.end();
    else stream!.write(say);
  });
}

/** The sizes of the chunks that arrive after each drop; `quiet` seconds without more end the wait for them. */
const DRIP = `
def drip(port, drops, quiet=1):
    s = connect(port)
    s.sendall(("GET /stream?say=%s HTTP/1.1\\r\\nHost: localhost:%d\\r\\n\\r\\n" % (drops[0], port)).encode())
    seen = []
    def listen():
        s.settimeout(quiet)
        got = b""
        try:
            while True:
                part = s.recv(65536)
                if not part: break
                got += part
        except TimeoutError: pass
        text = got.decode("latin1").partition("\\r\\n\\r\\n")[2] if not seen else got.decode("latin1")
        seen.append([int(size, 16) for size in re.findall("^([0-9a-f]+)\\r$", text, re.M)])
    listen()
    for drop in drops[1:] + [None]:
        get(port, "/more" if drop is None else "/more?say=" + drop)
        listen()
    s.close()
    return seen
`;

describe('a script that makes a host repeat guesses of its secret', () => {
  it(
    'gets the same pieces, at the same moments, however much of a guess is right',
    { tags: 'slow' },
    async () => {
      const port = await drippingHost();
      await attacker.secret('API_KEY', SECRET, [`localhost:${port}`]);
      const end = await attacker.attempt(
        `${DRIP}
answers = []
for guess in inputs()["guesses"]:
    answers.append([drip(${port}, [guess, "-"]), drip(${port}, ["-" * 200 + guess, "-" * 7, "-" * 200])])
print(json.dumps(answers))`,
        {
          hosts: [`localhost:${port}`],
          secrets: { API_KEY: { header: 'x-key', host: `localhost:${port}` } },
          timeout: 120,
        },
        { guesses: [SECRET.slice(0, 31), `${SECRET.slice(0, 30)}x`, 'x'.repeat(31)] },
      );
      expect(end).toMatchObject({ status: 'succeeded', error: null });
      const answers = end.output as number[][][][];
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      // They did come in pieces, and whole in the end.
      const [short, long] = answers[0]!;
      expect(short!.flat().reduce((sum, size) => sum + size, 0)).toBe(32);
      expect(long!.flat().reduce((sum, size) => sum + size, 0)).toBe(438);
      expect(long!.filter((sizes) => sizes.length > 0).length).toBeGreaterThan(2);
    },
  );
});
