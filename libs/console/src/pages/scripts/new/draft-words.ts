import type { Word } from '../../../kit/code/word.js';
import type { DraftSettings } from './draft.js';
import { draftSchema } from './draft-schema.js';

/** Variables that every run has. */
const VARIABLES: readonly Word[] = [
  word('GATEHOUSE_INPUTS', 'The path of a JSON file with the inputs.'),
  word('GATEHOUSE_RUN_ID', 'The id of this run.'),
  word('GATEHOUSE_ATTEMPT', 'Which attempt of the run this is, from 1 on.'),
  word('GATEHOUSE_SCRIPT', 'The slug of this script.'),
  word('GATEHOUSE_ENVIRONMENT', 'The name of the environment.'),
  word('GATEHOUSE_PLAN', 'It is 1 in a plan, and not there in a run.'),
];

/** What a script's files may name: variables, secrets that it reads as such, and its inputs. */
export function draftWords(settings: Pick<DraftSettings, 'inputSchema' | 'command' | 'env'>): Word[] {
  const secrets = settings.env.map((label) => ({
    label,
    detail: 'secret',
    info: 'A secret, as a variable.',
  }));
  return [...VARIABLES, ...secrets, ...inputWords(draftSchema(settings))];
}

function inputWords(schema: ReturnType<typeof draftSchema>): Word[] {
  if (schema === null || schema instanceof Error) return [];
  const { properties, required } = schema;
  if (typeof properties !== 'object' || properties === null) return [];
  const needed = Array.isArray(required) ? (required as unknown[]) : [];
  return Object.entries(properties as Record<string, unknown>).map(([label, property]) => {
    const { type, format, title, description } = (property ?? {}) as Record<string, unknown>;
    const kind = typeof format === 'string' ? format : typeof type === 'string' ? type : 'any';
    const info = [title, description].find((text) => typeof text === 'string') as string | undefined;
    const detail = `input, ${kind}${needed.includes(label) ? ', required' : ''}`;
    return { label, detail, ...(info && { info }) };
  });
}

function word(label: string, info: string): Word {
  return { label, detail: 'variable', info };
}
