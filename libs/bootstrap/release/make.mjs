import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { npm } from '../child.mjs';
import { listFiles } from '../freshness.mjs';
import { makePackages } from '../pack.mjs';
import { Obstacle, root, run } from '../project.mjs';
import { tableOfTests } from '../test-tables.mjs';
import { TESTS_OF_ATTACKS } from '../tests-of-attacks.mjs';
import { composeOfRelease } from './compose.mjs';
import { makeImage } from './image.mjs';
import { packFolder } from './pack-folder.mjs';
import { docker } from './succeed.mjs';

/** What somebody needs beside the image, the pages of operators among it. */
const AS_THEY_ARE = [
  ...['CHANGELOG.md', '.env.example', join('deploy', 'seccomp.json')],
  ...['guide', 'container.md', 'kubernetes.md'].map((name) => join('docs', name)),
];

const FAULTS = `# What is broken on purpose

Every row is a test that kills, stops or cuts off a part of a running service, and passes because nothing is lost by it.
`;
const ATTACKS = `# What is tried against it

Every row is a test that attacks a running service, and passes because the attack fails.
`;

/**
 * `node libs/bootstrap/run.mjs release/make TARGET [OPTION …]`: every file of a release of this checkout, which is a fresh clone.
 * What is made depends on its files and on the time of its commit (SOURCE_DATE_EPOCH), not on now and here.
 */
await run(async () => {
  process.chdir(root);
  const [target, ...imageOptions] = process.argv.slice(2);
  const epoch = Number(process.env.SOURCE_DATE_EPOCH);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const to = (name) => join(target, name);
  mkdirSync(target, { recursive: true });
  await makePackages();
  const packages = join('dist', 'packages');
  const { files } = JSON.parse(readFileSync(join(packages, 'index.json'), 'utf8'));
  for (const { name } of files) cpSync(join(packages, name), to(name));
  await packFolder(join('deploy', 'chart'), 'gatehouse', to(`gatehouse-${version}.tgz`), epoch);
  for (const name of AS_THEY_ARE) cpSync(name, to(name), { recursive: true });
  writeFileSync(to('compose.yaml'), composeOfRelease(readFileSync('compose.yaml', 'utf8'), version));
  writeFileSync(to('attacks.md'), await tableOfTests(TESTS_OF_ATTACKS, ATTACKS));
  writeFileSync(to('faults.md'), await tableOfTests([join('test', 'faults')], FAULTS));
  const tag = `gatehouse:${version}`;
  await makeImage({ tag, target, epoch, options: imageOptions });
  writeFileSync(to('sbom.cdx.json'), await billOfMaterials(tag, epoch));
  writeFileSync(to('SHA256SUMS'), checksums(target));
});

/**
 * What all is made of, by npm; what only helps to build it, the console's libraries among it, is marked as such. And what the
 * image has besides: Node and Debian's packages.
 */
async function billOfMaterials(tag, epoch) {
  const { code, output } = await npm(
    ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application', '--loglevel=error'],
    { quiet: true },
  );
  if (code !== 0) throw new Obstacle(`\`npm sbom\` failed:\n${output}`);
  const bill = JSON.parse(output);
  // By chance, and of now.
  delete bill.serialNumber;
  bill.metadata.timestamp = new Date(epoch * 1000).toISOString();
  bill.components.push(...(await ofTheImage(tag)));
  return `${JSON.stringify(bill, null, 2)}\n`;
}

async function ofTheImage(tag) {
  const tell = (program, ...args) =>
    docker('run', '--rm', '--network=none', `--entrypoint=${program}`, tag, ...args);
  const node = (await tell('node', '--version')).trim().replace(/^v/, '');
  const packages = await tell(
    'dpkg-query',
    '--show',
    '--showformat=${Package} ${Version} ${Architecture}\\n',
  );
  const component = (type, name, version, purl) => ({ 'bom-ref': purl, type, name, version, purl });
  const debian = packages
    .trim()
    .split('\n')
    .map((line) => {
      const [name, version, architecture] = line.split(' ');
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
      return component('library', name, version, purl);
    });
  return [component('application', 'node', node, `pkg:generic/node@${node}`), ...debian];
}

/** As `sha256sum --check` reads them. */
function checksums(directory) {
  const line = (name) => {
    const digest = createHash('sha256').update(readFileSync(join(directory, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  };
  return listFiles(directory, ['.']).map(line).join('');
}
