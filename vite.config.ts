import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { OLDEST_BROWSERS } from './scripts/oldest-browsers.ts'

const SERVER = 'http://127.0.0.1:3000'

/** Files that are always loaded together. One file compresses better than twenty. */
const GROUPS = [
  // What every page needs.
  {
    name: 'base',
    test: /web[\\/](main\.tsx|lib[\\/]page-head\.ts)$/,
    priority: 2,
  },
  // What every page that calls the service needs.
  {
    name: 'data',
    test: /web[\\/](trpc\.ts|ui[\\/](button|card|drop-area|notice|skeleton|toast-store)\.tsx?|lib[\\/](album-address|failure|focus|format|keep-albums|log-out-news|on-demand|use-fragment|use-offline-app)\.ts)$/,
    priority: 1,
  },
  // What every search by a selfie needs, also that of /selfie.
  {
    name: 'finding',
    test: /web[\\/](features[\\/]photos[\\/](as-sent|first-picture|photo-path|selfie-wait-notice|use-(consent|photo-links|selfie-patience))|lib[\\/]multipart)\.tsx?$/,
    priority: 0.5,
  },
  { name: 'search', test: /web[\\/]features[\\/]album[\\/]search[\\/](use-search|search-status)\.tsx$/ },
]

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
      output: { codeSplitting: { groups: GROUPS } },
    },
    emptyOutDir: true,
    // The server reads it, and names all scripts of a page in the page's head.
    manifest: true,
    // No asset becomes a data: address, so that every asset has a hash in its name and is cached for a long time.
    assetsInlineLimit: 0,
    // Every browser that supports import maps also supports modulepreload.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': SERVER, '/trpc': SERVER, '/photos': SERVER } },
})
