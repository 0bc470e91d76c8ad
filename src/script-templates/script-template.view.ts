import type { ScriptTemplateDto } from './script-template.dto.js';
import type { KnownTemplate } from './script-templates.js';

export function scriptTemplateView([name, template]: KnownTemplate): ScriptTemplateDto {
  const { title, description = null, files, command = null, inputSchema = null, hosts = [] } = template;
  return {
    name,
    title,
    description,
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    command,
    inputSchema,
    hosts: [...hosts],
  };
}
