export { ExtensionProblem } from './extension-problem.js';
export { checkedSettings, type ExtensionSettings } from './extension-settings.js';
export { Extension, type ExtensionOptions } from './extension.decorator.js';
export { ExtensionsModule } from './extensions.module.js';
export { Extensions } from './extensions.js';
export { type ExtensionExport, loadExtensions } from './load-extensions.js';
export { type LoadedExtension, wordOf } from './loaded-extension.js';
export { NamedProviders } from './named-providers.js';
