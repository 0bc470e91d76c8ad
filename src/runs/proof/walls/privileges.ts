import { BONDS, OTHER_USERS, OWN_SETUID, RIGHTS, SETUID_PROGRAMS } from '../../../../libs/attacks/index.js';
import { notRefused } from '../answers.js';
import type { ProofBench } from '../proof-bench.js';
import type { Wall } from '../wall.js';

const NO_CAPABILITIES = /^0+$/;
const REFUSED = /^E(PERM|INVAL)$/;

export const PRIVILEGE_WALLS: readonly Wall[] = [
  {
    name: 'privileges',
    says: 'A script has no capability, gains none (no_new_privs), and becomes no other user.',
    cure: 'Look for a changed bubblewrap or launcher, and install both anew.',
    quick: true,
    attack: gainRights,
  },
  {
    name: 'setuid',
    says: 'A setuid bit makes nobody of a script, neither of a program of the machine nor of its own.',
    cure: 'Look for a changed bubblewrap or launcher, and install both anew.',
    quick: true,
    attack: gainBySetuid,
  },
];

type Rights = Record<`Cap${'Inh' | 'Prm' | 'Eff' | 'Bnd' | 'Amb'}`, string> & {
  Uid: string;
  NoNewPrivs: string;
  Seccomp: string;
};

async function gainRights(bench: ProofBench): Promise<string[]> {
  const { Uid, NoNewPrivs, Seccomp, CapInh, CapPrm, CapEff, CapBnd, CapAmb } = await bench.findings<Rights>({
    code: RIGHTS,
  });
  const others = await bench.findings<string[]>({ code: OTHER_USERS });
  const bonds = await bench.findings<Record<string, string>>({ code: BONDS });
  const reached = notRefused(
    {
      ...bonds,
      ...Object.fromEntries(others.map((answer, index) => [`another user (${index + 1})`, answer])),
    },
    REFUSED,
  );
  for (const [name, set] of Object.entries({ CapInh, CapPrm, CapEff, CapBnd, CapAmb }))
    if (!NO_CAPABILITIES.test(set)) reached.push(`${name} is ${set}`);
  if (Uid === '0') reached.push('it is root in its box');
  if (NoNewPrivs !== '1') reached.push('no_new_privs is off');
  if (Seccomp !== '2') reached.push('no filter of system calls is in force');
  return reached;
}

async function gainBySetuid(bench: ProofBench): Promise<string[]> {
  const honoured = await bench.findings<string[]>({ code: SETUID_PROGRAMS });
  const { stdout } = await bench.attack({ code: OWN_SETUID });
  const reached = honoured.map((path) => `${path} is honoured`);
  if (stdout.trim() !== '1000 True') reached.push(`its own program: ${stdout.trim()}`);
  return reached;
}
