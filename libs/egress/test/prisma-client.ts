import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '7.10.0';
const SCHEMA = `
generator client {
  provider            = "prisma-client"
  output              = "./generated"
  engineType          = "client"
  importFileExtension = "ts"
}
datasource db {
  provider = "postgresql"
}
model Order {
  id    Int    @id
  title String
  lines Line[]
  @@map("orders")
}
model Line {
  id      Int   @id
  order   Order @relation(fields: [orderId], references: [id])
  orderId Int   @map("order_id")
  @@map("lines")
}
`;

/**
 * A folder with Prisma's client for the tables `orders` and `lines`, made once for this checkout. It is the one in TypeScript and
 * WebAssembly: the engine for migrations is not on the registry, and not needed.
 */
export async function prismaClient(): Promise<string> {
  const folder = resolve('dist', '.test-tools', `prisma_${VERSION}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const at = { cwd: unfinished };
  await writeFile(join(unfinished, 'package.json'), '{ "type": "module" }');
  await writeFile(join(unfinished, 'schema.prisma'), SCHEMA);
  const packages = ['prisma', '@prisma/client', '@prisma/adapter-pg'].map((name) => `${name}@${VERSION}`);
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packages], at);
  const cli = join(unfinished, 'node_modules', 'prisma', 'build', 'index.js');
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  await run(process.execPath, [cli, 'generate', '--schema', 'schema.prisma'], { ...at, env });
  // Another test may have been first: then theirs is as good.
  await rename(unfinished, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
