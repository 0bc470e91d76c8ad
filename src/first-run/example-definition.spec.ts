import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { parseCommand } from '../../libs/command/index.js';
import { checkSchema } from '../../libs/json-schema/index.js';
import { EXAMPLE_INPUT, EXAMPLE_VERSION } from './example-definition.js';

describe('the example', () => {
  const [header, ...rows] = readFileSync(EXAMPLE_INPUT, 'utf8').trimEnd().split('\n');

  it('has a table of a few hundred rows, each with numbers of its own', () => {
    expect(header).toBe('code,name,region,subregion,area_km2,population');
    expect(rows).toHaveLength(242);
    expect(new Set(rows.map((row) => row.slice(0, 2))).size).toBe(242);
    for (const row of rows) {
      expect(row).toMatch(
        /^[A-Z]{2},("[^"]+"|[^",]+),(Africa|Americas|Asia|Europe|Oceania),[^",]+,[1-9\d][\d.]*,[1-9]\d*$/,
      );
    }
  });

  it('has a command and schemas that versions take', () => {
    expect(() => parseCommand(EXAMPLE_VERSION.command)).not.toThrow();
    expect(() => checkSchema(EXAMPLE_VERSION.inputSchema, 'inputSchema')).not.toThrow();
    expect(() => checkSchema(EXAMPLE_VERSION.outputSchema, 'outputSchema')).not.toThrow();
  });
});
