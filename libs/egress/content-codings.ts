import { Duplex } from 'node:stream';
import zlib from 'node:zlib';

const MAX_CODINGS = 3;

const DECODERS: Record<string, () => Duplex> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  deflate: () => new Inflate(),
};

/**
 * What undoes a response's Content-Encoding, in the order of use.
 *
 * @param header the Content-Encoding header, or undefined
 * @returns null when one of the codings is not known
 */
export function decodersFor(header: string | undefined): Duplex[] | null {
  const codings = (header ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const known = codings.every((coding) => Object.hasOwn(DECODERS, coding));
  if (!known || codings.length > MAX_CODINGS) return null;
  return codings.reverse().flatMap((coding) => DECODERS[coding]?.() ?? []);
}

/** "deflate" means zlib's format (RFC 9110, 8.4.1.2), but some servers leave zlib's header out. */
class Inflate extends Duplex {
  private inner: zlib.Inflate | zlib.InflateRaw | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.inner ??= this.start(
      ((chunk[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw(),
    );
    this.inner.write(chunk, done);
  }

  override _read(): void {
    this.inner?.resume();
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.inner) this.inner.end();
    else this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.inner?.destroy();
    done(error);
  }

  private start<T extends zlib.Inflate | zlib.InflateRaw>(inner: T): T {
    inner.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) inner.pause();
    });
    inner.on('end', () => this.push(null));
    inner.on('error', (error) => this.destroy(error));
    return inner;
  }
}
