import { relative } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { OLDEST_BROWSERS } from './scripts/oldest-browsers.ts'

const SERVER = 'http://127.0.0.1:3000'

/** Files that are always loaded together, with what they import. One file compresses better than twenty. The first group
 *  that names a file has it. */
const GROUPS = {
  // What every page needs.
  base: ['web/main.tsx', 'web/lib/lazy-part.ts', 'web/lib/page-head.ts'],
  // What every page that calls the service needs.
  data: [
    'web/trpc.ts',
    ...['button', 'card', 'drop-area', 'notice', 'page', 'skeleton'].map((name) => `web/ui/${name}.tsx`),
    'web/ui/toast-store.ts',
    ...['album-address', 'failure', 'focus', 'format', 'log-out-news', 'own-albums'].map(inLib),
    ...['site-settings', 'use-fragment', 'use-offline-app'].map(inLib),
    'src/texts/english/album.ts',
  ],
  // What every search by a selfie needs, also that of /selfie.
  finding: [
    ...['as-sent.ts', 'consent.tsx', 'photo-path.ts', 'selfie-wait-notice.tsx', 'use-photo-links.ts'].map(
      inPhotos,
    ),
    ...['multipart', 'patience'].map(inLib),
  ],
  // What an open album needs.
  open: ['web/features/album/search/use-search.tsx', 'web/features/album/session/open-album.tsx'],
}

function inLib(name: string): string {
  return `web/lib/${name}.ts`
}

function inPhotos(file: string): string {
  return `web/features/photos/${file}`
}

const groups = Object.entries(GROUPS).map(([name, files], place) => ({
  name,
  test: (id: string) => files.includes(relative(import.meta.dirname, id)),
  priority: 9 - place,
}))

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    target: OLDEST_BROWSERS,
    // Texts are then where they are used, as if they were written there. That makes every page lighter.
    rolldownOptions: {
      transform: { assumptions: { setPublicClassFields: true, noDocumentAll: true } },
      // tRPC's packages do not say that what a page does not use can be left out.
      treeshake: { moduleSideEffects: [{ test: /node_modules[\\/]@trpc[\\/]/, sideEffects: false }] },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: { codeSplitting: { groups } },
    },
    emptyOutDir: true,
    // The list of what the service worker keeps comes from it.
    manifest: true,
    // No asset becomes a data: address, so that every asset has a hash in its name and is cached for a long time.
    assetsInlineLimit: 0,
    // Every browser that supports import maps also supports modulepreload.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': SERVER, '/trpc': SERVER, '/photos': SERVER } },
})
