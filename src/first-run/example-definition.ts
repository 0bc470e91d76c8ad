import { fileURLToPath } from 'node:url';

import type { ScriptVersionInput } from '../scripts/index.js';

export const EXAMPLE = {
  slug: 'country-chart',
  name: 'Country chart',
  description: 'Ranks the countries of a CSV file by population, area or density, and draws a chart of them.',
} as const;

/** The script's folder, and the file that it is given. */
export const EXAMPLE_FOLDER = fileURLToPath(new URL('assets/example/', import.meta.url));
export const EXAMPLE_INPUT = fileURLToPath(new URL('assets/countries.csv', import.meta.url));
/** The input that takes the file. */
export const EXAMPLE_FILE_FIELD = 'countries';

const total = { type: 'number', minimum: 0 };

export const EXAMPLE_VERSION = {
  command: 'python main.py {countries} [--region {region}] [--measure {measure}] [--top {top}]',
  timeout: 30,
  tags: ['example', 'python'],
  inputSchema: {
    type: 'object',
    properties: {
      [EXAMPLE_FILE_FIELD]: {
        type: 'string',
        format: 'file',
        description: 'A CSV file with the columns code, name, region, area_km2 and population.',
      },
      region: {
        type: 'string',
        maxLength: 100,
        description: 'Only countries of this region, such as Europe.',
      },
      measure: { enum: ['population', 'area', 'density'], default: 'population' },
      top: {
        type: 'integer',
        minimum: 1,
        maximum: 30,
        default: 10,
        description: 'How many bars the chart has.',
      },
    },
    required: [EXAMPLE_FILE_FIELD],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      measure: { enum: ['population', 'area', 'density'] },
      unit: { type: 'string' },
      region: { type: ['string', 'null'] },
      countries: { type: 'integer', minimum: 1 },
      population: total,
      area: total,
      regions: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { countries: { type: 'integer' }, population: total, area: total },
          required: ['countries', 'population', 'area'],
        },
      },
      top: {
        type: 'array',
        items: {
          type: 'object',
          properties: { code: { type: 'string' }, name: { type: 'string' }, value: total },
          required: ['code', 'name', 'value'],
        },
      },
    },
    required: ['measure', 'unit', 'region', 'countries', 'population', 'area', 'regions', 'top'],
  },
} satisfies Omit<ScriptVersionInput, 'archive'>;
