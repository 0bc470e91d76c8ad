import type { DynamicModule, Type } from '@nestjs/common';

import { inTime } from '../time-limit/index.js';
import { assertApart } from './assert-apart.js';
import { describeExtension } from './describe-extension.js';
import { ExtensionProblem } from './extension-problem.js';
import { type ExtensionPlace, placeOf } from './extension-place.js';
import { type ExtensionSettings, settingsOf } from './extension-settings.js';
import { shareHostPackages } from './host-packages.js';
import type { LoadedExtension } from './loaded-extension.js';

/** What an extension exports by default: a Nest module, or a function of its settings that makes one. */
export type ExtensionExport =
  | Type
  | DynamicModule
  | ((settings: ExtensionSettings) => Type | DynamicModule | Promise<Type | DynamicModule>);

const LONGEST_LOAD_MS = 30_000;

interface ExtensionsToLoad {
  extensions: readonly string[];
  /** To which relative paths belong, and for which packages are installed. */
  extensionsDirectory: string;
}

/**
 * Imports the extensions that are named, in their order.
 *
 * @throws ExtensionProblem for the first that cannot be used
 */
export async function loadExtensions(
  { extensions, extensionsDirectory }: ExtensionsToLoad,
  environment: NodeJS.ProcessEnv,
): Promise<LoadedExtension[]> {
  if (extensions.length === 0) return [];
  const places = extensions.map((reference) => placeOf(reference, extensionsDirectory));
  shareHostPackages(places.map((place) => place.directory));
  const loaded: LoadedExtension[] = [];
  for (const place of places) loaded.push(await load(place, environment));
  assertApart(loaded);
  return loaded;
}

/**
 * Those whose modules are at hand already, as a test has them. One that has no name is called after its class: `AcmeModule`
 * is `acme`.
 *
 * @throws ExtensionProblem
 */
export async function extensionsOf(modules: readonly (Type | DynamicModule)[]): Promise<LoadedExtension[]> {
  const extensions: LoadedExtension[] = [];
  for (const given of modules) {
    const reference = ('module' in given ? given.module : given)?.name || 'without a name';
    const module = await moduleOf(reference, given, {});
    extensions.push(await describeExtension(module, { reference, name: nameOf(reference), version: null }));
  }
  assertApart(extensions);
  return extensions;
}

function nameOf(className: string): string {
  const words = className.replace(/(Module|Extension)$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, '-');
  return words.toLowerCase();
}

async function load(place: ExtensionPlace, environment: NodeJS.ProcessEnv): Promise<LoadedExtension> {
  const { reference } = place;
  const exported = await loadInTime(reference, importFrom(place));
  const made = moduleOf(reference, exported, settingsOf(place.name, environment));
  const extension = await describeExtension(await loadInTime(reference, made), place);
  if (isFunction(exported) && extension.name !== place.name) {
    throw new ExtensionProblem(
      reference,
      `it is called "${extension.name}", and its file or package "${place.name}", after which the settings of its function are named. Call both alike.`,
    );
  }
  return extension;
}

async function importFrom({ reference, specifier }: ExtensionPlace): Promise<unknown> {
  try {
    return ((await import(specifier)) as { default?: unknown }).default;
  } catch (error) {
    throw thrown(reference, 'throws when it is imported', error);
  }
}

async function moduleOf(
  reference: string,
  exported: unknown,
  settings: ExtensionSettings,
): Promise<Type | DynamicModule> {
  let module = exported;
  if (isFunction(exported)) {
    try {
      module = await exported(settings);
    } catch (error) {
      throw thrown(reference, 'throws when it is given its settings', error);
    }
  }
  if (isClass(module) || isDynamicModule(module)) return module;
  const why = isFunction(exported)
    ? 'its function returned no Nest module.'
    : 'its default export is no Nest module, and no function of its settings that makes one.';
  throw new ExtensionProblem(reference, why);
}

function loadInTime<T>(reference: string, work: Promise<T>): Promise<T> {
  const late = (): Error =>
    new ExtensionProblem(reference, `it took more than ${LONGEST_LOAD_MS / 1000} s to load.`);
  return inTime({ ms: LONGEST_LOAD_MS, late }, () => work);
}

/** With the place in its code, which is what its author looks for. */
function thrown(reference: string, when: string, error: unknown): ExtensionProblem {
  const text = error instanceof Error ? error.message : String(error);
  const place = error instanceof Error ? /\n\s+at .*/.exec(error.stack ?? '')?.[0] : undefined;
  return new ExtensionProblem(reference, `it ${when}: ${text}${place ?? ''}`, { cause: error });
}

function isClass(value: unknown): value is Type {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

function isFunction(value: unknown): value is (settings: ExtensionSettings) => unknown {
  return typeof value === 'function' && !isClass(value);
}

function isDynamicModule(value: unknown): value is DynamicModule {
  return typeof value === 'object' && value !== null && isClass((value as Partial<DynamicModule>).module);
}
