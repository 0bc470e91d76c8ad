// The conformance suite imports `globSync` from `fs`, which Node has from version 22 on. What it is used for, finding
// scenarios of one's own, is not needed here.
import { register } from 'node:module';

const SHIM = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const HOOKS = `
  const shim = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(SHIM)}`)};
  export async function resolve(specifier, context, next) {
    const isFs = specifier === 'fs' || specifier === 'node:fs';
    const isSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
    return isFs && isSuite ? { url: shim, shortCircuit: true } : next(specifier, context);
  }`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
