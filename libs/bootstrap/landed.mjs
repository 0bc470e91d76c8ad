import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './project.mjs';

const folder = join(root, 'src', 'migrations');
const list = join(folder, 'landed.json');

/** Adds the digests of new migrations to `landed.json`. Those that are there stay as they are: a landed migration never changes. */
const landed = JSON.parse(readFileSync(list, 'utf8'));
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!file.endsWith('.ts') || file.includes('.spec.')) continue;
  landed[file] ??= createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}
writeFileSync(list, `${JSON.stringify(landed, null, 2)}\n`);
