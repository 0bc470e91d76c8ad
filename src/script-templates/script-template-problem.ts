import { labelProblem, lineProblem } from '../core/http/index.js';
import { isObject } from '../core/json/index.js';
import type { ScriptTemplateProvider } from './script-template.js';

const LONGEST_PATH = 200;
const MOST_FILES = 50;
const MOST_BYTES = 262_144;
const MOST_HOSTS = 50;

/** What is wrong with a template, or null. Its command, schema and hosts are looked at when a version is made of it. */
export function scriptTemplateProblem(template: Partial<ScriptTemplateProvider>): string | null {
  const { files, command = '', inputSchema = {}, hosts = [] } = template;
  const label = labelProblem(template);
  if (label !== null) return label;
  if (!isText(command) || lineProblem(command)) return 'has a command that is no line of text';
  if (!isObject(inputSchema)) return 'has an inputSchema that is no object';
  if (!Array.isArray(hosts) || hosts.length > MOST_HOSTS || !hosts.every(isText)) {
    return `has hosts that are no list of up to ${MOST_HOSTS} names`;
  }
  return filesProblem(files);
}

function filesProblem(files: unknown): string | null {
  const entries = isObject(files) ? Object.entries(files) : [];
  if (entries.length === 0 || entries.length > MOST_FILES) return `has no 1 to ${MOST_FILES} files`;
  const astray = entries.find(([path, text]) => !isPath(path) || !isText(text));
  if (astray) return `has the file "${astray[0]}", which has no path within the folder, or no text`;
  const bytes = entries.reduce((sum, [, text]) => sum + Buffer.byteLength(text as string), 0);
  return bytes > MOST_BYTES ? `has files of more than ${MOST_BYTES / 1024} KiB together` : null;
}

function isPath(path: string): boolean {
  if (path.length > LONGEST_PATH || path.includes('\\') || lineProblem(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
