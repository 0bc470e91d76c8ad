/**
 * Prints deploy/seccomp.json as a kubelet's runtime reads profiles: `node deploy/kubelet-seccomp.mjs [amd64|arm64]`. Docker's form
 * has rules for containers with certain capabilities, processors or kernels; a runtime on Kubernetes does not know those
 * conditions and would apply every rule to everybody. So they are decided here: for no capability, one processor, and a kernel
 * that has user namespaces for pods.
 */
import { readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { fileURLToPath } from 'node:url';

const PROCESSORS = { amd64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' };
const KERNEL = 6.3;

const processor = process.argv[2] ?? (arch() === 'x64' ? 'amd64' : arch());
if (!(processor in PROCESSORS))
  throw new Error(`There is no profile for ${processor}, only for amd64 and arm64.`);

const file = fileURLToPath(new URL('seccomp.json', import.meta.url));
const { archMap, syscalls, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
const { architecture, subArchitectures } = archMap.find(
  (entry) => entry.architecture === PROCESSORS[processor],
);
const rules = syscalls.filter(applies).map(({ names, action, errnoRet, args }) => ({
  names,
  action,
  errnoRet,
  args,
}));
console.log(
  JSON.stringify(
    { ...rest, architectures: [architecture, ...(subArchitectures ?? [])], syscalls: rules },
    null,
    2,
  ),
);

function applies({ includes = {}, excludes = {} }) {
  const unknown = [
    ...Object.keys(includes).filter((name) => !['caps', 'arches', 'minKernel'].includes(name)),
    ...Object.keys(excludes).filter((name) => !['caps', 'arches'].includes(name)),
  ];
  if (unknown.length > 0) throw new Error(`A condition that is not decided here: ${unknown.join(', ')}`);
  const { caps, arches, minKernel } = includes;
  return (
    caps === undefined &&
    (arches === undefined || arches.includes(processor)) &&
    (minKernel === undefined || Number(minKernel) <= KERNEL) &&
    !excludes.arches?.includes(processor)
  );
}
