export { RESOURCE_TYPES } from './resource-uri.js';
export { ResourcesService } from './resources.service.js';
export { nameForModel } from './tool-names.js';
export type { Tool, ToolCallContext, ToolCaller, ToolChoice, ToolResult } from './tool.js';
export { ToolsModule } from './tools.module.js';
export { ToolsService } from './tools.service.js';
