import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { extract, pack } from 'tar-stream';

import { packFolder } from './pack-folder.mjs';
import { docker, succeed } from './succeed.mjs';

/** Of an image's configuration, what does not tell when and by what it was built. */
const KEPT = ['architecture', 'os', 'variant', 'author', 'config'];

/**
 * Builds the image and writes it into `target`, as `docker load` takes it, with nothing in it of when it was built: files that
 * are newer than the commit get its time. Layers without such a file, which are those of the base, stay as they are. No layer is
 * taken from an earlier build, which may have been before the commit.
 * @param {{ tag: string, target: string, epoch: number, options: string[] }} image options: of `docker build`
 */
export async function makeImage({ tag, target, epoch, options }) {
  await docker('build', '--no-cache', ...options, `--tag=${tag}`, '.');
  const directory = await mkdtemp(join(target, 'image-'));
  try {
    const [saved, made] = [join(directory, 'saved'), join(directory, 'made')];
    await Promise.all([mkdir(saved), mkdir(made)]);
    await docker('save', `--output=${saved}.tar`, tag);
    await succeed('tar', [`--directory=${saved}`, '--extract', `--file=${saved}.tar`]);
    const { architecture } = await normalizeImage(saved, made, { tag, epoch });
    const name = `${tag.replace(':', '-')}-image-${architecture}.tar.gz`;
    await packFolder(made, '.', join(target, name), epoch);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * @param {string} saved what `docker save` has written, unpacked
 * @param {string} made the same, in what does not depend on when it was built
 * @param {{ tag: string, epoch: number }} options
 * @returns {Promise<object>} the image's configuration
 */
export async function normalizeImage(saved, made, { tag, epoch }) {
  const read = async (name) => JSON.parse(await readFile(join(saved, name), 'utf8'));
  const [{ Config, Layers }] = await read('manifest.json');
  const given = await read(Config);
  const digests = [];
  for (const layer of Layers) digests.push(await rewriteLayer(join(saved, layer), made, epoch));
  const latest = new Date(epoch * 1000).toISOString();
  const atLatest = (time) => (Date.parse(time) > epoch * 1000 ? latest : time);
  const config = {
    ...Object.fromEntries(KEPT.filter((field) => field in given).map((field) => [field, given[field]])),
    created: latest,
    history: given.history.map((step) => ({ ...step, created: atLatest(step.created) })),
    rootfs: { type: 'layers', diff_ids: digests.map((digest) => `sha256:${digest}`) },
  };
  const text = JSON.stringify(config);
  const name = `${createHash('sha256').update(text).digest('hex')}.json`;
  const manifest = [{ Config: name, RepoTags: [tag], Layers: digests.map((digest) => `${digest}.tar`) }];
  await writeFile(join(made, name), text);
  await writeFile(join(made, 'manifest.json'), JSON.stringify(manifest));
  return config;
}

/** @returns the digest of the layer, which is its name in `made` */
async function rewriteLayer(layer, made, epoch) {
  const part = join(made, 'part');
  const { changed, digest } = await rewrite(layer, part, epoch);
  if (changed) {
    await rename(part, join(made, `${digest}.tar`));
    return digest;
  }
  const { digest: given } = await copied(createReadStream(layer), part);
  await rename(part, join(made, `${given}.tar`));
  return given;
}

async function rewrite(layer, to, epoch) {
  const [source, rewritten] = [extract(), pack()];
  const reading = pipeline(createReadStream(layer), source);
  const writing = copied(rewritten, to);
  let changed = false;
  for await (const entry of source) {
    const { header } = entry;
    if (header.mtime.getTime() > epoch * 1000) {
      changed = true;
      header.mtime = new Date(epoch * 1000);
      for (const time of ['mtime', 'atime', 'ctime']) delete header.pax?.[time];
    }
    await pipeline(entry, rewritten.entry(header));
  }
  rewritten.finalize();
  await reading;
  return { changed, ...(await writing) };
}

async function copied(from, to) {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(from, hashing, createWriteStream(to));
  return { digest: hash.digest('hex') };
}
