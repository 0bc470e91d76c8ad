import { labelProblem } from '../core/http/index.js';
import type { EmbeddedPageProvider, SettingsFormProvider } from './settings-page.js';
import { settingsSchemaProblem } from './settings-schema-problem.js';

const MOST_HTML_BYTES = 1_048_576;
const MOST_ROUTES = 50;

type Page = Partial<SettingsFormProvider & EmbeddedPageProvider>;

/** What is wrong with a page, or null. Whether there are the routes that it names is not looked at. */
export function settingsPageProblem(page: Page): string | null {
  const { path, schema, routes, html } = page;
  const label = labelProblem(page);
  if (label !== null) return label;
  const isForm = path !== undefined || schema !== undefined;
  if (isForm === (routes !== undefined || html !== undefined)) {
    return 'is either a form, with `path` and `schema`, or embedded, with `routes` and `html`';
  }
  if (isForm) {
    const isPath = isText(path) && !path.includes('{');
    return isPath ? settingsSchemaProblem(schema) : 'has no `path` without parameters';
  }
  if (!Array.isArray(routes) || routes.length > MOST_ROUTES || !routes.every(isText)) {
    return `has no list \`routes\` of up to ${MOST_ROUTES}`;
  }
  const fits = isText(html) && html !== '' && Buffer.byteLength(html) <= MOST_HTML_BYTES;
  return fits ? null : 'has no `html` of up to 1 MiB';
}

/** What a page has to be able to ask for. */
export function wantedRoutes(page: SettingsFormProvider | EmbeddedPageProvider): readonly string[] {
  return 'html' in page ? page.routes : [`GET ${page.path}`, `PUT ${page.path}`];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
