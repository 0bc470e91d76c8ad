import {
  asked,
  DOORS,
  exists,
  MOUNTS,
  NEW_NAMESPACES,
  OTHER_PROCESSES,
  type RefusedCall,
  SOCKETS,
  TRY_CALLS,
  unknownNumbers,
} from '../../../../libs/attacks/index.js';
import { notRefused } from '../answers.js';
import type { ProofBench } from '../proof-bench.js';
import type { Wall } from '../wall.js';

const FILTER =
  'Have the kernel built with seccomp filters (CONFIG_SECCOMP_FILTER), and install the launcher anew.';

export const KERNEL_WALLS: readonly Wall[] = [
  {
    name: 'namespaces',
    says: 'A script makes and enters no namespace.',
    cure: FILTER,
    quick: true,
    attack: (bench) => call(bench, NEW_NAMESPACES),
  },
  {
    name: 'mounts',
    says: 'A script mounts nothing.',
    cure: FILTER,
    quick: true,
    attack: (bench) => call(bench, MOUNTS),
  },
  {
    name: 'tracing',
    says: 'A script looks into no other process (ptrace, process_vm_readv).',
    cure: FILTER,
    quick: true,
    attack: (bench) => call(bench, OTHER_PROCESSES),
  },
  {
    name: 'kernel-doors',
    says: 'Doors into the kernel are closed to a script: keyrings, bpf, io_uring, perf, userfaultfd.',
    cure: FILTER,
    quick: true,
    attack: (bench) => call(bench, DOORS),
  },
  {
    name: 'unknown-calls',
    says: 'System calls that are on no list are unknown to a script, those of later kernels included.',
    cure: FILTER,
    quick: true,
    attack: callUnknown,
  },
  {
    name: 'raw-sockets',
    says: 'A script has no sockets but those of TCP, UDP and Unix: no raw ones, netlink, packets or vsock.',
    cure: FILTER,
    quick: true,
    attack: async (bench) =>
      notRefused(
        await bench.findings<Record<string, string>>({ code: SOCKETS }),
        /^E(PROTONOSUPPORT|AFNOSUPPORT)$/,
      ),
  },
];

/** A call that is unknown leads nowhere either: some are where no cgroup counts what they take. */
async function call(bench: ProofBench, all: readonly RefusedCall[]): Promise<string[]> {
  const calls = all.filter(exists);
  const inputs = { calls: calls.map(([name, args]) => asked(name, args)) };
  const answers = await bench.findings<string[]>({ code: TRY_CALLS, inputs });
  return calls
    .map(([name, , refusal], index) => ({ name, refusal, answer: answers[index] ?? 'no answer' }))
    .filter(({ refusal, answer }) => answer !== refusal && answer !== 'ENOSYS')
    .map(({ name, answer }) => `${name}: ${answer}`);
}

async function callUnknown(bench: ProofBench): Promise<string[]> {
  const numbers = unknownNumbers();
  const inputs = { calls: numbers.map((number) => [number, 0, 0, 0, 0, 0, 0]) };
  const answers = await bench.findings<string[]>({ code: TRY_CALLS, inputs, timeoutSeconds: 100 });
  return numbers.flatMap((number, index) =>
    answers[index] === 'ENOSYS' ? [] : [`call ${number}: ${answers[index] ?? 'no answer'}`],
  );
}
