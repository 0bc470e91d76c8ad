import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { compressed } from './compressed.js';

export default defineConfig(({ command }) => ({
  plugins: [react(), compressed(), command === 'serve' && placeholders()],
  // Relative, since the service may be reached below a path that is only known when it runs.
  base: './',
  build: {
    target: 'es2022',
    outDir: 'dist',
    manifest: true,
    sourcemap: false,
    chunkSizeWarningLimit: 900,
  },
  // For `npm run dev`: a service on its usual port.
  server: { proxy: { '/v1': 'http://localhost:3000', '/docs': 'http://localhost:3000' } },
}));

/** The service fills these in; the development server serves at the root, without a policy. */
function placeholders() {
  return {
    name: 'placeholders',
    transformIndexHtml: (html: string) =>
      html.replaceAll('__BASE_PATH__', '').replaceAll('__CSP_NONCE__', ''),
  };
}
