/** Text that is HTML already and needs no escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | readonly Html[];

/**
 * HTML of a template; whatever is put in is escaped, unless it is `Html` itself.
 *
 * @example
 * html`<p>${'1 < 2'}</p>`.text === '<p>1 &lt; 2</p>'
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, part, index) => text + textOf(values[index - 1]!) + part));
}

/** Plain text in which `backticks` mark code. */
export function prose(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
