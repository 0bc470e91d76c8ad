import type { ScriptTemplate } from '@gatehouse/client/operations';

import { type Draft, type DraftFile, type DraftSettings, newDraft } from './draft.js';

export interface Template {
  id: string;
  name: string;
  description: string;
  settings: Partial<DraftSettings>;
}

/** Text of every file of every template, by its path below this folder. */
const sources = import.meta.glob<string>('./templates/*/*', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const TEMPLATES: Template[] = [
  {
    id: 'python',
    name: 'Python',
    description: 'Reads a text and a number, and returns a table.',
    settings: {
      command: 'python main.py',
      inputSchema: schema(
        {
          text: { type: 'string', description: 'Its words are counted.', default: 'to be or not to be' },
          top: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        },
        ['text'],
      ),
    },
  },
  {
    id: 'node',
    name: 'Node',
    description: 'Reads a number and a list, and returns a table.',
    settings: {
      command: 'node main.mjs',
      inputSchema: schema(
        {
          amount: { type: 'number', minimum: 0, default: 100 },
          people: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            default: ['Ada', 'Grace', 'Edsger'],
          },
        },
        ['amount', 'people'],
      ),
    },
  },
  {
    id: 'shell',
    name: 'Shell',
    description: 'Takes a date as an argument, and returns an object.',
    settings: {
      command: 'bash main.sh {date}',
      inputSchema: schema({ date: { type: 'string', format: 'date', default: '2030-01-01' } }, ['date']),
    },
  },
  {
    id: 'csv-report',
    name: 'Report on a CSV file',
    description: 'Takes a file, returns a table, and writes a file that can be downloaded.',
    settings: {
      command: 'python main.py',
      inputSchema: schema(
        {
          table: { type: 'string', format: 'file', description: 'A CSV file with a header.' },
          separator: { enum: [',', ';'], default: ',' },
        },
        ['table'],
      ),
    },
  },
  {
    id: 'call-api',
    name: 'Call an API with a secret',
    description: 'Reaches one host, and the secret is attached on the way: the code never sees it.',
    settings: {
      command: 'python main.py',
      hosts: ['api.github.com'],
      secrets: [
        {
          name: 'GITHUB_TOKEN',
          header: 'authorization',
          value: 'Bearer {secret}',
          hosts: ['api.github.com'],
        },
      ],
      inputSchema: schema(
        {
          repository: {
            type: 'string',
            pattern: '^[\\w.-]+/[\\w.-]+$',
            description: 'Owner and name, such as nodejs/node.',
          },
          count: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        },
        ['repository'],
      ),
    },
  },
  {
    id: 'nightly-check',
    name: 'Nightly check',
    description: 'For a schedule: fails when something has to be done, so that somebody is told.',
    settings: {
      command: 'python main.py',
      inputSchema: schema({
        warn_days: {
          type: 'integer',
          minimum: 0,
          default: 30,
          description: 'Fail when fewer days than these are left.',
        },
      }),
    },
  },
];

export function templateDraft({ id, name, settings }: Template): Draft {
  return { ...newDraft(filesOf(id), settings), name };
}

/** Of a template that an extension has added. */
export function extensionDraft({ title, files, command, inputSchema, hosts }: ScriptTemplate): Draft {
  const settings = {
    command: command ?? '',
    inputSchema: inputSchema === null ? '' : JSON.stringify(inputSchema, null, 2),
    hosts,
  };
  return { ...newDraft(files.map(withMode), settings), name: title };
}

function withMode({ path, content }: { path: string; content: string }): DraftFile {
  return { path, content, executable: path.endsWith('.sh') };
}

function filesOf(id: string): DraftFile[] {
  const folder = `./templates/${id}/`;
  return Object.entries(sources)
    .filter(([path]) => path.startsWith(folder))
    .map(([path, content]) => withMode({ path: path.slice(folder.length), content }));
}

function schema(properties: Record<string, unknown>, required: string[] = []): string {
  return JSON.stringify({ type: 'object', properties, required, additionalProperties: false }, null, 2);
}
