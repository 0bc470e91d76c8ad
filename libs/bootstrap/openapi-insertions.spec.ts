import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

type Insertions = Record<string, { digest: string; insertions: [number, string][] }>;
interface OpenApiInsertions {
  has(path: string, text: string): boolean;
  insertInto(path: string, text: string): string;
}

// It runs before anything is compiled, so it is plain JavaScript.
const { OpenApiInsertions } = (await import(
  pathToFileURL(join('libs', 'bootstrap', 'openapi-insertions.mjs')).href
)) as { OpenApiInsertions: new (files: Insertions) => OpenApiInsertions };

describe('OpenApiInsertions', () => {
  const text = 'class A {\n  @Get()\n  list() {}\n}\n';
  const recorded = new OpenApiInsertions({
    'a.controller.ts': {
      digest: createHash('sha256').update(text).digest('hex').slice(0, 16),
      insertions: [
        [0, 'import * as openapi; '],
        [12, '@openapi.ApiOperation() '],
        [18, ' @openapi.ApiResponse()'],
      ],
    },
  });

  it('inserts what is recorded where it belongs, without another line', () => {
    expect(recorded.insertInto('a.controller.ts', text)).toBe(
      'import * as openapi; class A {\n  @openapi.ApiOperation() @Get() @openapi.ApiResponse()\n  list() {}\n}\n',
    );
  });

  it('inserts nothing into a text that has changed since, or a file of which nothing is recorded', () => {
    const changed = text.replace('list', 'find');
    expect(recorded.has('a.controller.ts', changed)).toBe(false);
    expect(recorded.insertInto('a.controller.ts', changed)).toBe(changed);
    expect(recorded.insertInto('b.controller.ts', text)).toBe(text);
  });
});
