import type {
  ConcurrencyInput,
  DebounceInput,
  HostRuleInput,
  KeepInput,
  RetryInput,
  ScriptVersionInput,
  SecretUseInput,
} from '@gatehouse/client/operations';

import { isJsonObject } from '../../../kit/json-object.js';
import type { Draft, DraftSettings } from './draft.js';

export interface FieldProblem {
  /** The field of the version that it is about: `inputSchema`, `secrets.STRIPE_KEY`. */
  path: string;
  message: string;
}

export type VersionSettings = Omit<ScriptVersionInput, 'archive'>;

/** The settings of a draft as the service takes them, or what must be mended first. */
export function versionSettings(settings: DraftSettings): VersionSettings | FieldProblem[] {
  const problems: FieldProblem[] = [];
  const inputSchema = schemaOf(settings.inputSchema, 'inputSchema', problems);
  const outputSchema = schemaOf(settings.outputSchema, 'outputSchema', problems);
  const secrets = secretsOf(settings, problems);
  const retry = schemaOf(settings.retry, 'retry', problems);
  const concurrency = schemaOf(settings.concurrency, 'concurrency', problems);
  const debounce = schemaOf(settings.debounce, 'debounce', problems);
  const keep = schemaOf(settings.keep, 'keep', problems);
  const labels = schemaOf(settings.labels, 'labels', problems);
  if (problems.length > 0) return problems;
  const { command, build, timeout, resources, runsOn, idempotent, warm, handler, env, readme } = settings;
  const hosts = hostsOf(settings);
  return {
    ...(command.trim() && { command: command.trim() }),
    ...(build.trim() && { build: build.trim() }),
    ...(inputSchema && { inputSchema }),
    ...(outputSchema && { outputSchema }),
    ...(hosts.length > 0 && { hosts }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(env.length > 0 && { env }),
    ...(readme.trim() && { readme }),
    timeout,
    ...(Object.keys(resources).length > 0 && { resources }),
    ...(runsOn.length > 0 && { runsOn }),
    ...(retry && { retry: retry as unknown as RetryInput }),
    ...(idempotent && { idempotent }),
    ...(concurrency && { concurrency: concurrency as unknown as ConcurrencyInput }),
    ...(debounce && { debounce: debounce as unknown as DebounceInput }),
    ...(labels && { labels: labels as Record<string, string> }),
    ...(!warm && { warm }),
    ...(handler && { handler }),
    ...(keep && { keep: keep as KeepInput }),
  };
}

/** Whether packages will be installed, which may take minutes. */
export function installs({ files, settings }: Draft): boolean {
  const lists = ['requirements.txt', 'pyproject.toml', 'package.json'];
  return settings.build.trim() !== '' || files.some(({ path }) => lists.includes(path));
}

/** A host with rules stands there once for each. */
function hostsOf({ hosts, hostRules }: DraftSettings): (string | HostRuleInput)[] {
  return hosts.flatMap((host): (string | HostRuleInput)[] => {
    const rules = hostRules.filter((rule) => rule.host === host);
    return rules.length === 0 ? [host] : rules;
  });
}

function schemaOf(text: string, path: string, problems: FieldProblem[]): Record<string, unknown> | null {
  if (text.trim() === '') return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (isJsonObject(parsed)) return parsed;
    problems.push({ path, message: 'It must be a JSON object.' });
  } catch (error) {
    problems.push({ path, message: `It is not JSON: ${(error as Error).message}` });
  }
  return null;
}

function secretsOf(
  { secrets: rows, hosts: all, hostRules }: DraftSettings,
  problems: FieldProblem[],
): Record<string, SecretUseInput> {
  const maySignIn = hostRules.some(({ host, protocol }) => protocol === 'postgres' && all.includes(host));
  const uses: Record<string, SecretUseInput> = {};
  for (const { name, header, value, hosts } of rows) {
    const signsIn = maySignIn && header === '';
    if (name.trim() === '') {
      problems.push({ path: 'secrets', message: 'Each secret needs a name.' });
    } else if (header.trim() === '' && !signsIn) {
      const message = `${name} needs a header or, to sign in with it, a host whose protocol is PostgreSQL.`;
      problems.push({ path: 'secrets', message });
    } else if (Object.hasOwn(uses, name)) {
      problems.push({ path: 'secrets', message: `${name} is there twice.` });
    } else if (!value.includes('{secret}')) {
      problems.push({ path: 'secrets', message: `The value for ${name} must hold {secret}.` });
    } else
      uses[name] = { ...(!signsIn && { header: header.trim(), value }), ...(hosts.length > 0 && { hosts }) };
  }
  return uses;
}
