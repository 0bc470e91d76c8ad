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
