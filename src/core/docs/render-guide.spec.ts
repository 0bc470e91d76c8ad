import { describe, expect, it } from 'vitest';

import { anchorOf, renderGuide } from './render-guide.js';

const frame = { base: '/gate', pages: [] };
const names = ['README.md', 'secrets.md'];
const shown = (text: string): string => renderGuide({ text, names }, frame);

describe('renderGuide', () => {
  it('has the title of the page, and an anchor at each heading', () => {
    const page = shown('# Secrets and hosts\n\n## Why `env` is off\n');
    expect(page).toContain('<title>Secrets and hosts · Gatehouse</title>');
    expect(page).toContain('<h2 id="why-env-is-off">Why <code>env</code> is off</h2>');
  });

  it('leads to other pages below the path under which the service is reached', () => {
    expect(shown('[one](secrets.md)')).toContain('<a href="/gate/docs/guide/secrets">one</a>');
    expect(shown('[one](secrets.md#aws)')).toContain('<a href="/gate/docs/guide/secrets#aws">');
    expect(shown('[all](README.md)')).toContain('<a href="/gate/docs/guide">all</a>');
    expect(shown('[here](#aws), [there](https://example.com)')).toContain('<a href="https://example.com">');
  });

  it('names by its path what only the source has', () => {
    expect(shown('[why](../decisions/leases.md)')).toContain('why (<code>docs/decisions/leases.md</code>)');
    expect(shown('[more](../../SECURITY.md)')).toContain('more (<code>SECURITY.md</code>)');
  });

  it('escapes code, and needs neither script nor style within the page', () => {
    const page = shown('```bash\napi <b> "x"\n```\n\n| a |\n| --- |\n| `<i>` |\n');
    expect(page).toContain('api &lt;b&gt; &quot;x&quot;');
    expect(page).toContain('<code>&lt;i&gt;</code>');
    expect(page).not.toMatch(/<script|<style|\sstyle=/);
  });
});

describe('anchorOf', () => {
  it.each([
    ['Limits of the machine', 'limits-of-the-machine'],
    ["A person's yes", 'a-persons-yes'],
    ['`GET /docs`, again', 'get-docs-again'],
  ])('makes of %s what GitHub makes of it', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });
});
