import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Length, Max, Min } from 'class-validator';

import { PATH_PATTERN } from './file-name.js';
import { MAX_UPLOAD_BYTES } from './upload-body.js';

export class UploadAddressInput {
  /** The file's name, by whose extension its media type is known. Of a path, its last part is kept, which must have at most 255 bytes. */
  @ApiProperty({ pattern: PATH_PATTERN })
  @Length(1, 1024)
  @IsString()
  name: string;

  /** How many bytes it has at most. */
  @Max(MAX_UPLOAD_BYTES)
  @Min(0)
  @IsInt()
  maxBytes: number;
}

export class UploadAddressDto {
  id: string;

  /** Whoever has it can send the file, once: `curl -T table.csv '<uploadUrl>'`. It is shown only here. */
  @ApiProperty({ format: 'uri' })
  uploadUrl: string;

  name: string;

  maxBytes: number;

  /** 15 minutes from now. */
  expiresAt: string;
}

export class UploadAddressQuery {
  /** As it stands in `uploadUrl`. */
  @IsString()
  token: string;
}
