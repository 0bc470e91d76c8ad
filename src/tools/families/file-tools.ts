import { Injectable } from '@nestjs/common';
import { IsBase64, IsInt, IsOptional, IsString, Length, Max, MaxLength, Min } from 'class-validator';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Forbidden, InvalidRequest } from '../../core/errors/index.js';
import {
  MAX_UPLOAD_BYTES,
  UploadAddressesService,
  UploadRecordsService,
  WRITE_FILES,
} from '../../files/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import type { ToolCallContext, ToolResult } from '../tool.js';
import { jsonResult } from '../tool-results.js';

const MOST_BYTES = 1_048_576;
const MOST_BASE64 = Math.ceil(MOST_BYTES / 3) * 4;

class UploadArguments {
  @Length(1, 255)
  @IsString()
  name: string;

  @IsOptional()
  @MaxLength(MOST_BYTES)
  @IsString()
  text?: string;

  @IsOptional()
  @MaxLength(MOST_BASE64)
  @IsBase64()
  base64?: string;

  @IsOptional()
  @Max(MAX_UPLOAD_BYTES)
  @Min(1)
  @IsInt()
  maxBytes?: number;
}

/** Giving files to scripts. */
@Injectable()
export class FileTools {
  readonly tools: readonly FixedTool[] = [
    fixedTool({
      name: 'upload_file',
      title: 'Upload a file',
      description:
        "Stores a text, or bytes in base64, as a file of at most 1 MiB. Its `id` is what a script's file input takes, and it is kept for a day unless a run uses it. A file input also takes `{name, text}` at once. For a larger file give `maxBytes` instead: the result has an address to which it is sent once, within 15 minutes, by `curl -T`; the response to that has the `id`.",
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 255, description: 'With its extension: table.csv.' },
        text: {
          type: 'string',
          description: 'What is in it, in UTF-8. Either this, `base64` or `maxBytes`.',
        },
        base64: { type: 'string', contentEncoding: 'base64' },
        maxBytes: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_UPLOAD_BYTES,
          description: 'How many bytes a file has at most that is sent to an address.',
        },
      },
      required: ['name'],
      takes: UploadArguments,
      rule: WRITE_FILES,
      effect: 'changes',
      inEnvironment: true,
      run: (caller, given, context) => {
        const { text, base64, maxBytes } = given;
        if ([text, base64, maxBytes].filter((one) => one !== undefined).length !== 1) {
          throw InvalidRequest.at('text', 'give one of `text`, `base64` and `maxBytes`');
        }
        return maxBytes === undefined
          ? this.store(caller, given)
          : this.giveAddress(caller, { name: given.name, maxBytes }, context);
      },
    }),
  ];

  constructor(
    private readonly uploads: UploadRecordsService,
    private readonly addresses: UploadAddressesService,
  ) {}

  private async store(caller: WorkspaceCaller, given: UploadArguments): Promise<ToolResult> {
    const bytes = given.text === undefined ? Buffer.from(given.base64!, 'base64') : Buffer.from(given.text);
    const { id, name, size, type } = await this.uploads.store(caller, given.name, bytes);
    return jsonResult({ id, name, size, type }, '');
  }

  private async giveAddress(
    caller: WorkspaceCaller,
    file: { name: string; maxBytes: number },
    { credential }: ToolCallContext,
  ): Promise<ToolResult> {
    if (!credential) throw new Forbidden('This takes an app of its own: a person uploads larger files here.');
    const { uploadUrl, expiresAt, maxBytes } = await this.addresses.create(caller, credential, file);
    return jsonResult({ uploadUrl, maxBytes, expiresAt, command: `curl -T FILE '${uploadUrl}'` }, '');
  }
}
