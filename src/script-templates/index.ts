export { ScriptTemplate, type ScriptTemplateProvider } from './script-template.js';
export { ScriptTemplatesModule } from './script-templates.module.js';
