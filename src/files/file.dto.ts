import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';

import { PageOf } from '../core/http/index.js';
import { PATH_PATTERN } from './file-name.js';

export class FileDto {
  id: string;

  /** For a file that a run wrote: its path in /outputs. */
  name: string;

  /** The media type. */
  type: string;

  /** In bytes. */
  size: number;

  /** `in`: given to a run. `out`: written by one. */
  @ApiProperty({ enum: ['in', 'out'] })
  direction: 'in' | 'out';

  /** null for an upload that no run has used yet. */
  runId: string | null;

  /** The input that it was given as. */
  field: string | null;

  sha256: string | null;

  createdAt: string;

  /** A day after the upload; once a run uses it or has written it, as many days as the plan says, 30 unless the operator set another number. */
  expiresAt: string;

  /** A link that is good for an hour and needs no key. null where links are off: then read `/v1/files/{fileId}/content`. */
  @ApiProperty({ type: String, format: 'uri', nullable: true })
  downloadUrl: string | null;
}

export class FileScriptDto {
  slug: string | null;

  name: string | null;
}

export class FileRunDto {
  id: string;

  startedAt: string;
}

export class FileListItemDto extends FileDto {
  /** Of the run that it belongs to; both fields are null for an upload that no run has used yet. */
  script: FileScriptDto;

  run: FileRunDto | null;

  /** Who started the run, or else uploaded it: a person's name, or the key or agent it came through. */
  startedBy: string | null;
}

export class FilePageDto extends PageOf(FileListItemDto) {}

export class UploadQuery {
  /** The file's name, where the body is the bytes themselves. A form gives the name in its part. Of a path, its last part is kept, which must have at most 255 bytes. */
  @ApiPropertyOptional({ pattern: PATH_PATTERN })
  @IsOptional()
  @IsString()
  name?: string;
}

export class DownloadQuery {
  /** As it stands in `downloadUrl`. */
  @IsString()
  token: string;
}
