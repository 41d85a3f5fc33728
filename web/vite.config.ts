import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const client = fileURLToPath(new URL('../clients/ts/src/index.ts', import.meta.url));

// Of Mermaid only the usual kinds of diagrams are in the page, and how they are laid out. The others are large, and one
// layout (ELK) has a licence of another kind; a text that asks for them is not drawn.
const drawn = new Set([
  'flowDiagram', 'sequenceDiagram', 'classDiagram-v2', 'stateDiagram-v2', 'erDiagram', 'ganttDiagram', 'journeyDiagram', 'timeline-definition',
  'mindmap-definition', 'pieDiagram', 'gitGraphDiagram', 'quadrantDiagram', 'xychartDiagram', 'kanban-definition', 'requirementDiagram',
  'dagre', 'cose-bilkent', 'sizeCapture', 'infoDiagram',
]);
const undrawn = '\0undrawn';
const someDiagrams: Plugin = {
  name: 'some-diagrams',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer?.includes('/mermaid/dist/')) return;
    const part = /([\w-]+)-[A-Z0-9]{8}\.mjs$/.exec(source)?.[1];
    if (source === 'katex' || (part && part !== 'chunk' && !drawn.has(part))) return undrawn;
  },
  load: (id) => (id === undrawn ? "throw new Error('The page does not draw this kind of diagram.'); export const diagram = undefined, render = undefined; export default undefined;" : undefined),
};

// The built files are committed, so the build must give the same bytes on every machine: no hashes of
// times, no source maps, fixed targets.
export default defineConfig({
  plugins: [svelte(), someDiagrams],
  resolve: {
    alias: { 'rein-client': client },
    conditions: process.env.VITEST ? ['browser'] : undefined,
  },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'], // the first that know light-dark()
    outDir: 'dist',
    emptyOutDir: true,
    // A style or picture as a data: URL would need a looser policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { index: 'index.html', diagram: 'diagram.html' },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  server: {
    // npm run dev -- --open, beside a `rein serve` on its usual address.
    proxy: { '/v1': 'http://127.0.0.1:7717', '/login': 'http://127.0.0.1:7717', '/logout': 'http://127.0.0.1:7717' },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
