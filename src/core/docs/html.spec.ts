import { describe, expect, it } from 'vitest';

import { html, prose } from './html.js';

describe('html', () => {
  it('escapes text and leaves HTML as it is', () => {
    const link = html`<a href="/?a=1&b=2">here</a>`;
    expect(html`<p title="${'"quoted"'}">${"<b> & 'c'"} ${link}</p>`.text).toBe(
      '<p title="&#34;quoted&#34;">&#60;b&#62; &#38; &#39;c&#39; <a href="/?a=1&b=2">here</a></p>',
    );
  });

  it('joins lists and shows numbers', () => {
    const items = [1, 2].map((number) => html`<i>${number}</i>`);
    expect(html`<b>${items}</b>`.text).toBe('<b><i>1</i><i>2</i></b>');
  });

  it('turns backticks into code', () => {
    expect(prose('Send `a<b>` now.').text).toBe('Send <code>a&#60;b&#62;</code> now.');
  });
});
