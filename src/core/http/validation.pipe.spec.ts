import 'reflect-metadata';

import { IsObject, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { OpaqueJson } from './opaque-json.js';
import { StrictValidationPipe } from './validation.pipe.js';

class Wish {
  @IsString()
  name: string;

  @OpaqueJson()
  @IsObject()
  schema: Record<string, unknown>;
}

const read = (value: unknown): Promise<unknown> =>
  new StrictValidationPipe().transform(value, { type: 'body', metatype: Wish });

describe('StrictValidationPipe', () => {
  it('keeps JSON of the user as it came, whatever its members are called', async () => {
    const schema = JSON.parse(
      '{"properties":{"constructor":{"type":"string"},"toString":{},"then":1},"2":1,"1":2}',
    );
    const dto = (await read({ name: 'a', schema })) as Wish;
    expect(dto).toBeInstanceOf(Wish);
    expect(JSON.stringify(dto.schema)).toBe(JSON.stringify(schema));
  });

  it('still checks it', async () => {
    await expect(read({ name: 'a', schema: 'x' })).rejects.toMatchObject({
      details: [{ path: 'schema', message: 'must be an object' }],
    });
    await expect(read({ name: 'a' })).rejects.toMatchObject({ details: [{ path: 'schema' }] });
  });

  it('refuses a field that there is not', async () => {
    await expect(read({ name: 'a', schema: {}, other: 1 })).rejects.toMatchObject({
      details: [{ path: 'other', message: 'is not a field of this request' }],
    });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'refuses a field named %s',
    async (name) => {
      await expect(read(JSON.parse(`{"name":"a","schema":{},"${name}":1}`))).rejects.toMatchObject({
        details: [{ path: name, message: 'is not a field of this request' }],
      });
    },
  );
});
