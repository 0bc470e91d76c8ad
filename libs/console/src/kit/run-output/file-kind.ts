export type FileKind = 'picture' | 'csv' | 'text' | 'other';

const TEXT_TYPES =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-ndjson|sql)|[^/]+\/[^/]+\+(?:json|xml))/;
const TEXT_NAMES =
  /\.(?:txt|md|log|json|ndjson|jsonl|xml|ya?ml|toml|ini|cfg|conf|py|js|ts|sh|sql|html?|css|env)$/i;
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const PICTURE_NAMES: [RegExp, string][] = [
  [/\.png$/i, 'image/png'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.gif$/i, 'image/gif'],
  [/\.webp$/i, 'image/webp'],
  [/\.avif$/i, 'image/avif'],
  [/\.svg$/i, 'image/svg+xml'],
];

/** How a file can be shown, by its media type and where that says nothing by its name. */
export function fileKind({ type, name }: { type: string; name: string }): FileKind {
  const media = mediaOf(type);
  if (pictureType({ type, name }) !== null) return 'picture';
  if (media === 'text/csv' || media === 'text/tab-separated-values' || /\.[ct]sv$/i.test(name)) return 'csv';
  return TEXT_TYPES.test(media) || TEXT_NAMES.test(name) ? 'text' : 'other';
}

/** The media type that an `<img>` is given for a picture, or null where it is none. */
export function pictureType({ type, name }: { type: string; name: string }): string | null {
  const media = mediaOf(type);
  if (PICTURES.test(media)) return media;
  if (media !== 'application/octet-stream' && media !== '') return null;
  return PICTURE_NAMES.find(([ending]) => ending.test(name))?.[1] ?? null;
}

function mediaOf(type: string): string {
  return type.split(';')[0]!.trim().toLowerCase();
}
