import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/server';

import type { Tool, ToolResult } from '../tools/index.js';

export function toMcpTool({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): McpTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as McpTool['inputSchema'],
    ...(outputSchema && { outputSchema: outputSchema as NonNullable<McpTool['outputSchema']> }),
    annotations,
  };
}

/** An error is a text alone: clients check what is structured against the output schema of the tool, also that of an error. */
export function toMcpResult({ text, structured, links, isError }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text }, ...links.map((link) => ({ type: 'resource_link' as const, ...link }))],
    ...(isError ? { isError } : structured && { structuredContent: structured }),
  };
}
