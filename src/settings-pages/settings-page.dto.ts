import { ApiProperty } from '@nestjs/swagger';

export class SettingsFormDto {
  /** `GET` gives the values, `PUT` takes them. */
  @ApiProperty({ example: '/v1/tickets/settings' })
  path: string;

  /** JSON Schema of the values. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  schema: object;
}

export class EmbeddedPageDto {
  /** Where the page is, for a frame. */
  @ApiProperty({ example: '/v1/settings-pages/tickets.board' })
  address: string;

  /** The only routes that the console lets it use. */
  @ApiProperty({ example: ['GET /v1/tickets'] })
  routes: string[];
}

export class SettingsPageDto {
  /** The name by which an extension declares it. */
  @ApiProperty({ example: 'tickets' })
  name: string;

  title: string;

  description: string | null;

  /** null for an embedded page. */
  form: SettingsFormDto | null;

  /** null for a form. */
  embedded: EmbeddedPageDto | null;
}

export class SettingsPageList {
  items: SettingsPageDto[];
}
