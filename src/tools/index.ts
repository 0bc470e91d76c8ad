export { RESOURCE_TYPES } from './resource-uri.js';
export { type ResourceContent, ResourcesService } from './resources.service.js';
export type {
  Tool,
  ToolAnnotations,
  ToolCallContext,
  ToolCaller,
  ToolChoice,
  ToolLink,
  ToolResult,
} from './tool.js';
export { ToolsModule } from './tools.module.js';
export { ToolsService } from './tools.service.js';
