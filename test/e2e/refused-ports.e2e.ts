import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';

/** Its scripts are harmless here. */
const author = aGatedAttacker();
let host: string;

beforeAll(async () => {
  host = `localhost:${await author.upstreams.start((_, response) => void response.end('ok'))}`;
});

async function connecting(...ports: number[]): Promise<{ end: Json; log: string }> {
  const code = `print(json.dumps([socket.socket().connect_ex(("localhost", port)) for port in ${JSON.stringify(ports)}]))`;
  const end = await author.attempt(code, { hosts: [host] });
  return { end, log: await author.log(end['id'] as string) };
}

const refused = (port: number, denied: number): Json => ({
  host: `(port ${port})`,
  requests: 0,
  denied,
  bytesIn: 0,
  bytesOut: 0,
});

describe('a connection to a port that the gate does not serve', () => {
  it("is a line in the run's log that says what to do, and refused in its network", async () => {
    const { end, log } = await connecting(5432, 5432, 443);
    expect(end['output']).toEqual([111, 111, 0]);
    expect(log.split('\n').filter((line) => line.includes('5432'))).toEqual([
      'gate: refused a connection to port 5432: nothing listens on it. Only HTTPS passes, and no host is declared with this port (host:5432)',
    ]);
    expect(end['network']).toEqual([refused(5432, 2)]);
  });

  it('says https:// for port 80, where no declaration helps', async () => {
    const { end, log } = await connecting(80);
    expect(log).toMatch(/refused a connection to port 80: .*use https:\/\//);
    expect(log).not.toContain('host:80');
    expect(end['network']).toEqual([refused(80, 1)]);
  });
});
