import { icons as drawings } from '@iconify-json/tabler';
import type { Plugin } from 'vite';

/** What all outlined drawings say alike, and `src/kit/icon.tsx` says once. */
const ALIKE =
  ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';
const PREFIX = 'icon:';

/** `import IconTrash from 'icon:trash'`: one drawing of a set of thousands, as a component. */
export function icons(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const name = id.slice(PREFIX.length + 1);
      const drawing = drawings.icons[name]?.body;
      if (drawing === undefined) return this.error(`There is no icon ${name}.`);
      const lines = JSON.stringify(drawing.replaceAll(ALIKE, ''));
      return `import { icon } from '/src/kit/icon.tsx';\nexport default icon(${lines});`;
    },
  };
}
