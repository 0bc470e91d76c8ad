/** The most bytes of all files that an installation may leave, unpacked. */
export const MAX_LAYER_BYTES = 1024 * 1024 * 1024;
/** Files, folders and links together. */
export const MAX_LAYER_ENTRIES = 200_000;

/** What an installation left cannot be kept. The message says why, for whoever asked for it. */
export class UnusableLayer extends Error {
  override readonly name = 'UnusableLayer';
}
