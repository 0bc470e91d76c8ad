import { badArchive, MAX_ARCHIVE_BYTES } from './archive-limits.js';

const MAX_BASE64_LENGTH = Math.ceil(MAX_ARCHIVE_BYTES / 3) * 4;

/**
 * The bytes of an archive as it was sent: base64 as RFC 4648 section 4 has it, padded, without line breaks.
 *
 * @throws InvalidInput at `archive`
 */
export function decodeArchive(archive: string): Buffer {
  if (archive.length > MAX_BASE64_LENGTH) throw tooLarge();
  const bytes = Buffer.from(archive, 'base64');
  // Node skips what is not base64; encoding again shows whether something was skipped.
  if (archive === '' || bytes.toString('base64') !== archive) {
    throw badArchive(
      /\s/.test(archive)
        ? 'must be base64 without line breaks or spaces (base64 -w0)'
        : 'must be a .tar.gz file in base64, with padding (base64 -w0)',
    );
  }
  return checkArchiveBytes(bytes);
}

/**
 * Refuses bytes that are too many or evidently no .tar.gz file.
 *
 * @throws InvalidInput at `archive`
 */
export function checkArchiveBytes(bytes: Buffer): Buffer {
  if (bytes.length > MAX_ARCHIVE_BYTES) throw tooLarge();
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    throw badArchive(
      `must be a .tar.gz file${guess(bytes)}; make one with: tar -czf script.tar.gz -C folder .`,
    );
  }
  return bytes;
}

function tooLarge(): Error {
  return badArchive(
    `is larger than 10 MB (${MAX_ARCHIVE_BYTES} bytes decoded): leave dependencies, data and build results out`,
  );
}

function guess(bytes: Buffer): string {
  const head = bytes.subarray(0, 6).toString('latin1');
  if (head.startsWith('PK')) return ', and this is a .zip';
  if (head.startsWith('BZh')) return ', and this is compressed with bzip2';
  if (head.startsWith('\xfd7zXZ')) return ', and this is compressed with xz';
  if (head.startsWith('\x28\xb5\x2f\xfd')) return ', and this is compressed with zstd';
  if (bytes.subarray(257, 262).toString('latin1') === 'ustar')
    return ', and this is a .tar that is not compressed';
  return '';
}
