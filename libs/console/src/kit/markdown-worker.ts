import type { Root } from 'hast';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

import { LOADED } from './off-thread.js';

/** The browser draws them all at once, and each within the others. */
const MOST_NODES = 20_000;
const MOST_LEVELS = 100;

const schema = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};
const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize, schema);

self.onmessage = ({ data: text }: MessageEvent<string>) => {
  const tree = processor.runSync(processor.parse(text));
  self.postMessage(isSmall(tree) ? tree : null);
};
self.postMessage(LOADED);

function isSmall(tree: Root): boolean {
  let level: object[] = tree.children;
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length;
    if (nodes > MOST_NODES || depth > MOST_LEVELS) return false;
    level = level.flatMap((node) => ('children' in node ? (node.children as object[]) : []));
  }
  return true;
}
