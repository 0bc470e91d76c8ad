import { ApiProperty } from '@nestjs/swagger';

export class ScriptTemplateFileDto {
  @ApiProperty({ example: 'main.py' })
  path: string;

  content: string;
}

export class ScriptTemplateDto {
  /** The name by which an extension declares it. */
  @ApiProperty({ example: 'acme.report' })
  name: string;

  title: string;

  description: string | null;

  files: ScriptTemplateFileDto[];

  /** null: it is worked out from the files. */
  command: string | null;

  /** null: one text for each `{name}` of the command. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  inputSchema: object | null;

  hosts: string[];
}

export class ScriptTemplateList {
  items: ScriptTemplateDto[];
}
