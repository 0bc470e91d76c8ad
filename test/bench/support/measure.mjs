import { performance } from 'node:perf_hooks';

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Milliseconds that each of the works took, `rounds` times in turn, so that noise meets them all alike. */
export async function interleaved(rounds, works) {
  const times = works.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const began = performance.now();
      await work();
      times[index].push(performance.now() - began);
    }
  }
  return times;
}

/** How often a second `work` can be done by `concurrency` at a time, over `ms`. */
export async function throughput(work, concurrency, ms) {
  const began = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() - began < ms) {
        await work();
        done++;
      }
    }),
  );
  return (done * 1000) / (performance.now() - began);
}

/** A row of the table: what, the figure as text, the target as text, whether it is met. */
export class Table {
  rows = [];

  add(what, ratio, target, met, note = '') {
    this.rows.push([what, ratio, target, met ? 'met' : 'MISSED', note]);
    console.log(`${met ? ' ok ' : 'MISS'}  ${what}: ${ratio} (target ${target}) ${note}`);
  }

  print() {
    console.log('\n| what | figure | target | | measured |\n|---|---|---|---|---|');
    for (const row of this.rows) console.log(`| ${row.join(' | ')} |`);
  }
}
