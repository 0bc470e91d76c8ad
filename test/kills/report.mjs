const HEAD = ['', 'number', 'lost', 'twice', 'stuck', 'duplicates', 'seconds of absence, median and longest'];

const ROWS = {
  runs: 'runs accepted',
  attempts: 'attempts',
  turns: 'starts that take turns',
  writes: 'writes accepted',
  firings: 'runs of triggers',
  requests: 'requests to a hook',
  events: 'events of runs',
  accounts: 'statistics, errors, alerts, labels',
};

/** The one table: what was accepted and what became of it, then how long the service was away by what was killed. */
export function print(verdict, absences) {
  const rows = [
    ...Object.entries(ROWS).map(([what, name]) => {
      const { accepted, lost, twice, stuck, duplicates = '' } = verdict[what];
      return [name, accepted, lost.length, twice.length, stuck.length, duplicates, ''];
    }),
    ...[...absences].map(([kind, seconds]) => [
      `killed: ${kind}`,
      seconds.length,
      '',
      '',
      '',
      '',
      absenceOf(seconds),
    ]),
  ];
  const lines = [HEAD, HEAD.map(() => '---'), ...rows];
  console.log(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
}

function absenceOf(seconds) {
  const back = seconds.filter((value) => value !== null).sort((a, b) => a - b);
  if (back.length < seconds.length) return 'did not come back';
  return `${back[Math.floor(back.length / 2)].toFixed(1)}, ${back.at(-1).toFixed(1)}`;
}

/** What must not be, one line each. */
export function complaints(verdict, load, house, absences) {
  const told = [];
  for (const [what, { lost, twice, stuck }] of Object.entries(verdict)) {
    for (const [how, which] of Object.entries({ lost, 'executed twice': twice, stuck }))
      if (which.length > 0) told.push(`${what} ${how}: ${which.slice(0, 10).join('; ')}`);
  }
  for (const answer of new Set([...load.odd, ...load.sender.odd]))
    told.push(`an answer that no kill explains: ${answer}`);
  for (const surprise of house.surprises) told.push(surprise);
  for (const [kind, seconds] of absences)
    if (seconds.includes(null)) told.push(`the service did not come back after: ${kind}`);
  return told;
}
