import { isAbsolute } from 'node:path';
import type { BoxNetwork, BoxSpec, WritableApp } from './box.js';

/** Labels of letters, digits, dashes and underscores: nothing that could become another line of /etc/hosts. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/i;
/** Of different numbers, 443 included; the launcher has room for no more. */
const MAX_PORTS = 128;
/** Not where the other names are, nor its name server. */
const OWN_ADDRESS = /^127\.1\.\d{1,3}\.\d{1,3}$/;
const MAX_KIB = 0xffffffff;

function checkNetwork({ ports, names, apart = [], caPem }: BoxNetwork): void {
  for (const port of [...ports, ...apart.map(({ port }) => port)]) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TypeError(`${port} is not a port`);
  }
  if (new Set(ports).size + apart.length >= MAX_PORTS)
    throw new TypeError(`a box has at most ${MAX_PORTS - 1} ports besides 443`);
  for (const { address } of apart) {
    if (!OWN_ADDRESS.test(address)) throw new TypeError(`${address} is not an address of a box's own`);
  }
  for (const name of [...names, ...apart.map(({ name }) => name)]) {
    if (!HOST_NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a host name`);
  }
  if (!caPem.includes('-----BEGIN CERTIFICATE-----'))
    throw new TypeError('caPem must be a certificate in PEM');
}

function checkWritableApp({ maxBytes, maxFiles }: WritableApp): void {
  const fits = (value: number): boolean => value > 0 && value <= MAX_KIB;
  if (!fits(maxBytes / 1024)) throw new TypeError('maxBytes must be more than 0 and less than 4 TiB');
  if (!Number.isInteger(maxFiles) || !fits(maxFiles))
    throw new TypeError('maxFiles must be a whole number above 0');
}

/** @throws TypeError for a spec that no box can be made from. */
export function checkSpec(spec: BoxSpec): void {
  const { argv, app, inputs, extraRoBinds = [], timeoutMs } = spec;
  if (argv.length === 0 || argv[0] === '') throw new TypeError('a box needs a command');
  const paths = [app, inputs ?? '/', ...extraRoBinds.map(({ source }) => source)];
  for (const text of [...argv, ...paths, ...extraRoBinds.map(({ target }) => target)]) {
    if (text.includes('\0')) throw new TypeError('a command or path contains a NUL character');
  }
  for (const path of paths) {
    if (!isAbsolute(path)) throw new TypeError(`${path} is not an absolute path`);
  }
  if (!(timeoutMs >= 0)) throw new TypeError('timeoutMs must be a number of milliseconds');
  if (spec.network) checkNetwork(spec.network);
  if (spec.writableApp) checkWritableApp(spec.writableApp);
}
