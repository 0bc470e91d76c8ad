import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

type Load = () => Promise<Extension>;

const javascript =
  (options?: { typescript?: boolean; jsx?: boolean }): Load =>
  async () =>
    (await import('@codemirror/lang-javascript')).javascript(options);

const json: Load = async () => (await import('@codemirror/lang-json')).json();
const yaml: Load = async () => (await import('@codemirror/lang-yaml')).yaml();
const shell: Load = async () => legacy((await import('@codemirror/legacy-modes/mode/shell')).shell);
const properties: Load = async () =>
  legacy((await import('@codemirror/legacy-modes/mode/properties')).properties);

const BY_ENDING: Record<string, Load> = {
  js: javascript(),
  mjs: javascript(),
  cjs: javascript(),
  jsx: javascript({ jsx: true }),
  ts: javascript({ typescript: true }),
  mts: javascript({ typescript: true }),
  cts: javascript({ typescript: true }),
  tsx: javascript({ typescript: true, jsx: true }),
  py: async () => (await import('@codemirror/lang-python')).python(),
  json,
  md: async () => (await import('@codemirror/lang-markdown')).markdown(),
  yaml,
  yml: yaml,
  sh: shell,
  bash: shell,
  toml: async () => legacy((await import('@codemirror/legacy-modes/mode/toml')).toml),
  ini: properties,
  cfg: properties,
  env: properties,
};

const BY_NAME: Record<string, Load> = {
  Dockerfile: async () => legacy((await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile),
};

/** Reading Markdown takes quadratic time within a paragraph, at one go. */
const LONGEST_PARAGRAPH = 10_000;

/** The syntax of a file by its name, loaded when it is first needed; null for one that is shown as plain text. */
export async function languageOf(path: string, text: string): Promise<Extension | null> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (ending === 'md' && hasLongParagraph(text)) return null;
  const load = BY_NAME[name] ?? BY_ENDING[ending];
  return load ? load() : null;
}

function legacy(mode: StreamParser<unknown>): Extension {
  return new LanguageSupport(StreamLanguage.define(mode));
}

function hasLongParagraph(text: string): boolean {
  return (
    text.length > LONGEST_PARAGRAPH && text.split(/\n\s*\n/).some((part) => part.length > LONGEST_PARAGRAPH)
  );
}
