import type { ListResourceTemplatesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';

import { NotFound } from '../core/errors/index.js';
import { RESOURCE_TYPES, ResourcesService } from '../tools/index.js';
import type { McpCall } from './mcp-call.js';
import type { McpSdk } from './mcp-sdk.js';

/** What results link to. None are listed: there are too many, and each is told of where it matters. */
@Injectable()
export class McpResources {
  constructor(private readonly resources: ResourcesService) {}

  templates(): ListResourceTemplatesResult {
    return {
      resourceTemplates: RESOURCE_TYPES.map(({ template, name, description }) => ({
        uriTemplate: template,
        name,
        description,
      })),
    };
  }

  async read(sdk: McpSdk, { caller }: McpCall, uri: string): Promise<ReadResourceResult> {
    try {
      const content = await this.resources.read(caller, uri);
      const { mimeType } = content;
      const bytes = 'text' in content ? { text: content.text } : { blob: content.blob.toString('base64') };
      return { contents: [{ uri, mimeType, ...bytes }] };
    } catch (error) {
      throw error instanceof NotFound ? new sdk.ResourceNotFoundError(uri) : error;
    }
  }
}
