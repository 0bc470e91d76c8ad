import type { SettingsPageDto } from './settings-page.dto.js';
import { isEmbedded, type KnownPage } from './settings-pages.js';

export function settingsPageView({ name, page, routes }: KnownPage): SettingsPageDto {
  const { title, description = null } = page;
  const said = { name, title, description };
  if (!isEmbedded(page)) return { ...said, form: { path: page.path, schema: page.schema }, embedded: null };
  const address = `/v1/settings-pages/${name}`;
  return {
    ...said,
    form: null,
    embedded: { address, routes: routes.map(({ method, path }) => `${method} ${path}`) },
  };
}
