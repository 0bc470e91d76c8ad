/** The parts of an OpenAPI 3.1 document that are worked on here. */
export interface ApiDocument {
  openapi: string;
  tags?: { name: string; description?: string }[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
    parameters: Record<string, Parameter>;
    [section: string]: unknown;
  };
  [field: string]: unknown;
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  default?: unknown;
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Header {
  description: string;
  schema: Schema;
}

export interface MediaType {
  schema?: Schema;
  [field: string]: unknown;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, MediaType>; [field: string]: unknown };
  responses: Record<string, Response | Reference>;
}

export function isReference(value: object): value is Reference {
  return '$ref' in value;
}

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
}
