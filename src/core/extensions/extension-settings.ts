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
