/**
 * What the operator has set for one extension: the environment variables `EXTENSION_<NAME>_…`. `EXTENSION_CHAT_WEB_HOOK` is
 * `webHook` of the extension `chat`. One that is set to nothing is left out.
 */
export type ExtensionSettings = Readonly<Record<string, string>>;

export function settingsOf(name: string, environment: NodeJS.ProcessEnv): ExtensionSettings {
  const prefix = prefixOf(name);
  const set = Object.entries(environment).flatMap(([variable, value]) => {
    const text = value?.trim();
    if (!variable.startsWith(prefix) || !text) return [];
    return [[camelCase(variable.slice(prefix.length)), text]];
  });
  return Object.freeze(Object.fromEntries(set) as Record<string, string>);
}

function prefixOf(name: string): string {
  return `EXTENSION_${name.toUpperCase().replaceAll('-', '_')}_`;
}

function camelCase(variable: string): string {
  return variable.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The settings of an extension that takes these and no others.
 *
 * @throws Error that names each that is missing, and each that there is not; their values are in no message
 * @example
 * ```ts
 * const { issuer, title = 'Acme' } = checkedSettings(settings, ['issuer'], ['title']);
 * ```
 */
export function checkedSettings<Needed extends string, Other extends string = never>(
  settings: ExtensionSettings,
  needed: readonly Needed[],
  others: readonly Other[] = [],
): Readonly<Record<Needed, string>> & Readonly<Partial<Record<Other, string>>> {
  const missing = needed.filter((name) => settings[name] === undefined);
  const known: readonly string[] = [...needed, ...others];
  const unknown = Object.keys(settings).filter((name) => !known.includes(name));
  const problems = [
    ...missing.map((name) => `${variableOf(name)} is missing`),
    ...unknown.map((name) => `${variableOf(name)} is no setting of it`),
  ];
  if (problems.length > 0) throw new Error(`${problems.join('; ')}.`);
  return settings as Readonly<Record<Needed, string>> & Readonly<Partial<Record<Other, string>>>;
}

/** As the end of the variable is written: `webHook` is `WEB_HOOK`. */
function variableOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
