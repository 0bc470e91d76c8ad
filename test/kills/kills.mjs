// Kills processes of a Gatehouse under load, at moments and of kinds that a seed decides, and looks for what was lost.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { absence } from './absence.mjs';
import { House } from './house.mjs';
import { Load } from './load.mjs';
import { openOutside } from './outside.mjs';
import { seeded } from './random.mjs';
import { complaints, print } from './report.mjs';
import { judge } from './verdict.mjs';
import { killOne } from './victims.mjs';

/** Between the return of the service and the next kill. */
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3_000;

/** @returns whether nothing was lost, executed twice or stuck, and no process ended by itself */
export async function killAndCount(count, seed = randomInt(1_000_000)) {
  console.log(`${count} kills, seed ${seed}`);
  const random = seeded(seed);
  const outside = await openOutside();
  let house = null;
  let fine = false;
  try {
    house = await House.start({
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_RATE_LIMIT: '0',
      GATEHOUSE_HOOK_RATE: '0',
      GATEHOUSE_AUTOMATIONS_PER_WORKSPACE: '1000000',
      GATEHOUSE_RUN_CONCURRENCY: '4',
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: outside.caFile,
    });
    const load = new Load(house, outside, seeded(seed + 1));
    await load.prepare();
    load.begin();
    const absences = await kills(count, house, load, random);
    await load.end();
    const verdict = await judge(load, outside);
    print(verdict, absences);
    const told = complaints(verdict, load, house, absences);
    for (const line of told) console.log(line);
    fine = told.length === 0;
    console.log(fine ? 'Nothing was lost, executed twice or stuck.' : `Its logs are in ${house.directory}.`);
  } finally {
    await house?.stop({ keep: !fine });
    outside.close();
  }
  return fine;
}

async function kills(count, house, load, random) {
  const absences = new Map();
  for (let number = 1; number <= count; number++) {
    await sleep(SHORTEST_PAUSE_MS + random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS));
    const kind = killOne(house, random);
    const api = load.apis[kind === 'API process' ? 1 : 0];
    const seconds = await absence(api);
    absences.set(kind, [...(absences.get(kind) ?? []), seconds]);
    const away = seconds === null ? 'it did not come back' : `${seconds.toFixed(1)} s`;
    console.log(`${String(number).padStart(4)}  ${kind.padEnd(24)} ${away}`);
    if (seconds === null) break;
  }
  return absences;
}
