import { ApiProperty } from '@nestjs/swagger';

export class CliParameterDto {
  /** The parameter of the path or the query, or the field of the body, that it fills. */
  @ApiProperty({ example: 'openedAfter' })
  name: string;

  description: string;

  type: 'string' | 'integer' | 'number' | 'boolean';

  /** null: any. */
  choices: string[] | null;

  required: boolean;
}

export class CliCommandDto {
  /** The extension's name: the command is `gatehouse <group> <name>`. */
  @ApiProperty({ example: 'tickets' })
  group: string;

  @ApiProperty({ example: 'list' })
  name: string;

  summary: string;

  @ApiProperty({ example: 'GET' })
  method: string;

  /** With its parameters in braces. */
  @ApiProperty({ example: '/v1/tickets' })
  path: string;

  arguments: CliParameterDto[];

  options: CliParameterDto[];

  /** What every request has besides: in the query of `GET` and `DELETE`, in the body otherwise. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    example: { state: 'closed' },
  })
  fields: Record<string, string | number | boolean>;

  /** The fields that a person sees; null: JSON. */
  columns: string[] | null;

  /** Whether the route gives pages. */
  list: boolean;
}

export class CliCommandList {
  items: CliCommandDto[];
}
