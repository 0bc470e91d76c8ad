import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

import { readSecretFile } from '../../core/config/index.js';
import { CommandRefused } from '../command-refused.js';

const IDENTITY = /^AGE-SECRET-KEY-/;
const RECIPIENT = /^age1/;

/** A key file's text, as `age-keygen` writes one. */
export async function newKeyFile(): Promise<{ text: string; recipient: string }> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  return { text: `# public key: ${recipient}\n${identity}\n`, recipient };
}

/** Encrypts in the format of age, whose end is authenticated too: what was cut off does not open. */
export class Seal {
  private constructor(private readonly encrypter: Encrypter) {}

  /** @param file holds a key, or only public ones: with these nobody can open what is sealed */
  static async of(file: string): Promise<Seal> {
    const encrypter = new Encrypter();
    for (const line of await linesOf(file)) {
      if (IDENTITY.test(line)) encrypter.addRecipient(await valid(file, () => identityToRecipient(line)));
      else await valid(file, () => encrypter.addRecipient(line));
    }
    return new Seal(encrypter);
  }

  async seal(source: Readable): Promise<Readable> {
    return asNode(
      await this.encrypter.encrypt(Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>),
    );
  }
}

/** Decrypts what a seal of the same key has made. */
export class Opener {
  private constructor(private readonly decrypter: Decrypter) {}

  static async of(file: string): Promise<Opener> {
    const decrypter = new Decrypter();
    const identities = (await linesOf(file)).filter((line) => IDENTITY.test(line));
    if (identities.length === 0) {
      throw new CommandRefused(
        `${file} has only public keys, which do not open a backup. Name the file with the key.`,
      );
    }
    for (const identity of identities) await valid(file, () => decrypter.addIdentity(identity));
    return new Opener(decrypter);
  }

  async open(sealed: Readable): Promise<Readable> {
    const source = Readable.toWeb(sealed) as globalThis.ReadableStream<Uint8Array>;
    const opened = this.decrypter.decrypt(source).catch((error: Error) => {
      if (error instanceof CommandRefused) throw error;
      throw new CommandRefused(
        `The key file does not open the backup, or that is damaged: ${error.message}.`,
      );
    });
    return asNode(await opened);
  }
}

/** Without comments. Nothing of what a file holds is told. */
async function linesOf(file: string): Promise<string[]> {
  if (IDENTITY.test(file)) {
    throw new CommandRefused('Name the file with the key instead: others can read what a command is given.');
  }
  const text = await readSecretFile(file).catch((error: Error) => {
    throw new CommandRefused(`The key file could not be read: ${error.message}.`);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length > 0 && keys.every((line) => IDENTITY.test(line) || RECIPIENT.test(line))) return keys;
  throw new CommandRefused(
    `${file} is not a key file. \`npm run admin -- backup-key ${file}\` makes one, age-keygen too.`,
  );
}

async function valid<T>(file: string, use: () => T): Promise<Awaited<T>> {
  try {
    return await use();
  } catch {
    throw new CommandRefused(`A key in ${file} is damaged.`);
  }
}

function asNode(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
}
