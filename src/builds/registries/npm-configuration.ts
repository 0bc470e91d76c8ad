import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { askClient, ClientUnusable } from './ask-client.js';

/** How npm is set up on this machine. */
export interface NpmConfiguration {
  /** The scope (`@team`). null: the registry of all other packages. */
  registries: { scope: string | null; url: string; authorization: string | null }[];
  /** Certificates to trust, PEM. */
  ca: string[];
  cafile: string | null;
  /** `npmjs`, `always`, `never` or a host. */
  replaceRegistryHost: string;
}

/** Calls the code by which npm reads its own configuration: it knows all files, their precedence and the defaults. */
const PROGRAM = `
const [root] = process.argv.slice(1);
const load = (name) => require(require.resolve(name, { paths: [root] }));
const Config = load('@npmcli/config');
const { definitions, flatten, nerfDarts, shorthands } = load('@npmcli/config/lib/definitions');
const config = new Config({ npmPath: root, definitions, flatten, nerfDarts, shorthands, argv: [process.execPath, root], warn: false });
config.load().then(() => {
  const keys = new Set();
  for (const place of ['cli', 'env', 'user', 'global', 'builtin']) {
    for (const key of Object.keys(config.data.get(place)?.data ?? {})) keys.add(key);
  }
  const authorization = (url) => {
    const { token, auth } = config.getCredentialsByURI(url);
    return token ? 'Bearer ' + token : auth ? 'Basic ' + auth : null;
  };
  const registry = (scope, url) => ({ scope, url, authorization: authorization(url) });
  const scopes = [...keys].filter((key) => /^@[^:]+:registry$/.test(key));
  console.log(JSON.stringify({
    registries: [
      registry(null, config.get('registry')),
      ...scopes.map((key) => registry(key.slice(0, -':registry'.length), config.get(key))),
    ],
    ca: [config.get('ca') ?? []].flat(),
    cafile: config.get('cafile') || null,
    replaceRegistryHost: config.get('replace-registry-host') ?? 'npmjs',
  }));
});
`;

/**
 * The npm of a Node, if boxes see it as well.
 * @returns its folder, or null
 */
function findNpm(node: string): string | null {
  const bin = dirname(realpathSync(node));
  const places = [join(bin, '../lib/node_modules/npm')];
  if (existsSync(join(bin, 'npm'))) places.unshift(dirname(dirname(realpathSync(join(bin, 'npm')))));
  return places.find((place) => existsSync(join(place, 'package.json'))) ?? null;
}

/** @throws ClientUnusable */
export async function readNpmConfiguration(node: string): Promise<NpmConfiguration> {
  const root = findNpm(node);
  if (root === null) throw new ClientUnusable(`there is no npm beside ${node}`);
  return askClient(node, ['-e', PROGRAM, root], `npm of ${root}`);
}
