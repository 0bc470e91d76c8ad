import { describe, expect, it } from 'vitest';
import { HostSet } from './host-set.js';
import { startPlainOrigin } from './test/origin.js';
import { VariedGate } from './test/varied-gate.js';
import { echo, handlers, seen } from './test/varied-origin.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

function valuesIn(raw: string[], name: string): string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

describe('the gate', () => {
  const scene = VariedGate.forEach();

  it('passes a request to a declared host and its response back', async () => {
    await scene.open();
    const response = await scene.inside.call('api.test', '/echo?a=1', { headers: { 'X-Mixed-Case': 'yes' } });
    expect(response.status).toBe(200);
    expect(seen(response)).toMatchObject({ method: 'GET', url: '/echo?a=1' });
    expect(seen(response).raw).toEqual(
      expect.arrayContaining(['X-Mixed-Case', 'yes', 'Host', `api.test:${scene.origin.port}`]),
    );
    expect(scene.inside.lines).toEqual([]);
  });

  it('matches wildcards, and not what only ends like a declared name', async () => {
    await scene.open();
    expect((await scene.inside.call('a.wild.test', '/echo')).status).toBe(200);
    expect((await scene.inside.call('wild.test', '/echo')).status).toBe(403);
    expect((await scene.inside.call('evilapi.test', '/echo')).status).toBe(403);
    expect((await scene.inside.call('x.api.test', '/echo')).status).toBe(403);
  });

  it('refuses other hosts with a readable response and a line in the log', async () => {
    await scene.open();
    const response = await scene.inside.call('evil.test', '/', { method: 'POST', body: 'x'.repeat(300_000) });
    expect(response.status).toBe(403);
    expect(response.headers['content-type']).toMatch(/json/);
    const { error } = JSON.parse(response.text) as { error: { code: string; message: string } };
    expect(error.code).toBe('host_not_declared');
    expect(error.message).toContain(`evil.test:${scene.origin.port}`);
    expect(scene.inside.lines).toEqual([
      expect.stringMatching(/refused a request to evil\.test:\d+: the host is not declared$/),
    ]);
    expect(scene.inside.gate.usage()).toEqual([
      expect.objectContaining({ denied: 1, requests: 0, bytesOut: 0 }),
    ]);
  });

  it('says so when the host is declared with another port', async () => {
    await scene.open({ declared: ['api.test:9', 'api.test:10'] });
    expect((await scene.inside.call('api.test', '/')).text).toContain('only with port 9 and 10');
  });

  it('sets secrets over whatever the script sent', async () => {
    const secrets = [
      {
        name: 'KEY',
        hosts: new HostSet([`api.test:${scene.origin.port}`]),
        header: 'Authorization',
        template: 'Bearer {secret}',
        value: SECRET,
      },
    ];
    handlers['/sent'] = (req, res) => {
      const got = valuesIn(req.rawHeaders, 'authorization');
      res.end(
        JSON.stringify({
          right: got.length === 1 && got[0] === `Bearer ${SECRET}`,
          raw: req.rawHeaders.length,
        }),
      );
    };
    await scene.open({ declared: ['api.test', 'other.test'], secrets });
    const headers = [
      'host',
      `api.test:${scene.origin.port}`,
      'AUTHORIZATION',
      'mine',
      'authorization',
      'mine too',
      'Connection',
      'authorization',
    ];
    expect((await scene.inside.call('api.test', '/sent', { headers })).text).toContain('"right":true');
    expect(scene.inside.usedSecrets).toEqual(['KEY']);
    const other = await scene.inside.call('other.test', '/echo', { headers: { authorization: 'own' } });
    expect(valuesIn(seen(other).raw, 'authorization')).toEqual(['own']);
    expect(scene.inside.usedSecrets).toEqual(['KEY']);
  });

  it('leaves headers of the connection out, both ways', async () => {
    await scene.open();
    const headers = {
      connection: 'X-Private, keep-alive', 'x-private': '1', 'keep-alive': 'timeout=9', te: 'trailers', 'proxy-authorization': 'x', 'x-kept': '1',
    }; // prettier-ignore
    const { raw } = seen(await scene.inside.call('api.test', '/echo', { headers }));
    const names = raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(['x-kept', 'host', 'connection']));
    for (const name of ['x-private', 'te', 'proxy-authorization', 'keep-alive'])
      expect(names).not.toContain(name);
    expect(valuesIn(raw, 'connection')).toEqual(['keep-alive']);

    const response = await scene.inside.call('api.test', '/headers');
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(response.rawHeaders).toEqual(expect.arrayContaining(['X-Case', 'Kept']));
    for (const name of ['x-hop', 'proxy-authenticate']) expect(response.headers[name]).toBeUndefined();
  });

  it('sends requests to another origin where that is set', async () => {
    const plain = await scene.outside.keep(startPlainOrigin(echo));
    const origins = new Map([
      [
        `mirror.test:${scene.origin.port}`,
        { host: '127.0.0.2', port: plain.port, protocol: 'http:' as const },
      ],
    ]);
    await scene.open({ declared: ['mirror.test'], origins });
    const { raw } = seen(await scene.inside.call('mirror.test', '/echo'));
    expect(valuesIn(raw, 'host')).toEqual([`127.0.0.2:${plain.port}`]);
  });

  it('counts requests and bytes by host', async () => {
    await scene.open();
    await scene.inside.call('api.test', '/big');
    await scene.inside.call('api.test', '/sum', { method: 'POST', body: 'x'.repeat(1000) });
    await scene.inside.call('evil.test', '/');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    scene.inside.close();
    const usage = new Map(scene.inside.lastUsage.map((one) => [one.host, one]));
    const api = usage.get(`api.test:${scene.origin.port}`);
    expect(api).toMatchObject({ requests: 2, denied: 0 });
    expect(api?.bytesIn).toBeGreaterThan(3_000_000);
    expect(api?.bytesIn).toBeLessThan(3_001_000);
    expect(api?.bytesOut).toBeGreaterThan(1000);
    expect(api?.bytesOut).toBeLessThan(2000);
    expect(usage.get(`evil.test:${scene.origin.port}`)).toMatchObject({ requests: 0, denied: 1 });
  });

  it('refuses a secret that no header can carry', async () => {
    const secret = {
      name: 'KEY',
      hosts: new HostSet(['api.test']),
      header: 'x-key',
      value: 'two\nlines of it',
    };
    await expect(scene.open({ secrets: [secret] })).rejects.toThrow(
      /the secret KEY cannot be sent.*line break/,
    );
    await expect(
      scene.open({ secrets: [{ ...secret, value: 'fine-value', header: 'Host' }] }),
    ).rejects.toThrow(/Host is not a header/);
    await scene.open();
  });
});
