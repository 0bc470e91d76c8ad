import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../errors/index.js';
import { ERROR_CODES_PAGE } from './error-codes.page.js';
import { renderApiPage, renderPage } from './render-page.js';

const frame = { base: '/gate', pages: [{ slug: 'errors', title: 'Error codes' }] };

describe('renderPage', () => {
  it('has an anchor, the status and the help of every error code', () => {
    const text = renderPage(ERROR_CODES_PAGE, frame);
    for (const [code, { status }] of Object.entries(ERROR_CODES)) {
      expect(text).toContain(`<section id="${code}">`);
      expect(text).toContain(`<code>${code}</code></a> <small>${status}</small>`);
    }
    expect(text).toContain('<code>Authorization: Bearer &#60;token&#62;</code>');
  });

  it('links below the path under which the service is reached', () => {
    expect(renderPage(ERROR_CODES_PAGE, frame)).toContain('<a href="/gate/docs/errors">Error codes</a>');
    expect(renderApiPage(frame)).toContain('href="/gate/v1/openapi.json"');
  });

  it('escapes what a page says', () => {
    const entry = { term: 'a"b', text: '<script>alert(1)</script>' };
    const text = renderPage({ slug: 'x', title: '<x>', introduction: '&', entries: [entry] }, frame);
    expect(text).not.toContain('<script>');
    expect(text).toContain('<section id="a&#34;b">');
    expect(text).toContain('<h1>&#60;x&#62;</h1>');
  });

  it('has no script or style within the page, so that the policy need not allow any', () => {
    for (const text of [renderPage(ERROR_CODES_PAGE, frame), renderApiPage(frame)]) {
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
    }
  });
});
