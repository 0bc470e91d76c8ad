import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { type ProxyOptions, defaultClientConditions, defineConfig } from 'vite';

import { compressed } from './compressed.js';
import { icons } from './icons.js';

/** What Markdown's names of characters stand for: `&amp;`. */
const CHARACTERS = 'decode-named-character-reference';
const PAGES = ['index.html', 'sign-in.html'].map((page) => fileURLToPath(new URL(page, import.meta.url)));

export default defineConfig(({ command }) => ({
  plugins: [react(), icons(), compressed(), command === 'serve' && [placeholders(), noTestValidator()]],
  // Relative, since the service may be reached below a path that is only known when it runs.
  base: './',
  // The client as it is written, not as it was built last.
  resolve: {
    conditions: ['@gatehouse/source', ...defaultClientConditions],
    // For browsers it asks the page's document, which a worker has not.
    alias: { [CHARACTERS]: fileURLToPath(import.meta.resolve(CHARACTERS)) },
  },
  build: {
    target: 'es2022',
    // The first that know `light-dark()`: what older ones would get instead has no colours here.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    manifest: true,
    // All that know the styles preload modules by themselves.
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      input: PAGES,
      output: {
        // Each file costs a slow machine some milliseconds, so what is loaded together is together, and crumbs are none.
        codeSplitting: {
          groups: [
            // And all that it imports. The app loads it as well, and then the rest of what it begins with.
            { name: 'sign-in', test: /src\/pages\/entry\/open-sign-in\.tsx$/, priority: 2 },
            { name: 'first', tags: ['$initial'], test: /^(?!.*\/sign-in\.(html|ts)$)/, priority: 1 },
            {
              name: 'kit',
              test: /@mantine|@floating-ui|icon:|src\/(kit|app|api|pages)\/(?!code|run-form|run-output|markdown)/,
              minShareCount: 5,
            },
            // The form of a script's inputs, and the page around it.
            {
              name: 'script',
              test: /src\/(pages\/(scripts\/(script-|run\/)|runs\/last-runs)|kit\/run-form\/(use-uploads|form-ui|run-form)\.|api\/send)|JsonInput/,
            },
          ],
        },
      },
    },
  },
  // For `npm run dev`: a service on its usual port.
  server: {
    proxy: {
      '/v1': toService(),
      '/docs': toService(),
      '/oauth': toService(),
      '/mcp': toService(),
      '/.well-known': toService(),
    },
  },
}));

const SERVICE = 'http://localhost:3000';

/** The service refuses changes that pages of other sites ask for, so those of the page served here pass as its own. */
function toService(): ProxyOptions {
  return {
    target: SERVICE,
    configure: (proxy) => {
      proxy.on('proxyReq', (forwarded, { headers }) => {
        if (headers.origin === `http://${headers.host}`) forwarded.setHeader('origin', SERVICE);
      });
    },
  };
}

/** The service fills these in; the development server serves at the root, without a policy. */
function placeholders() {
  return {
    name: 'placeholders',
    transformIndexHtml: (html: string) =>
      html.replaceAll('__BASE_PATH__', '').replaceAll('__CSP_NONCE__', ''),
  };
}

/** The form kit bundles a registry for its own tests, which names a validator that compiles code and is not installed. */
function noTestValidator() {
  const replaced = '\0no-test-validator';
  return {
    name: 'no-test-validator',
    enforce: 'pre' as const,
    resolveId: (id: string) => (id === '@rjsf/validator-ajv8' ? replaced : null),
    load: (id: string) => (id === replaced ? 'export default undefined;' : null),
  };
}
