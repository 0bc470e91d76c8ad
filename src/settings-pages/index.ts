export {
  type EmbeddedPageProvider,
  type SettingsField,
  type SettingsFormProvider,
  SettingsPage,
  type SettingsSchema,
} from './settings-page.js';
export { SettingsPagesModule } from './settings-pages.module.js';
