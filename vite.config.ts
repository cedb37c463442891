import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = 'http://127.0.0.1:3000'

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The server tells the browser at once which scripts a page is made of.
    manifest: true,
    // Nothing becomes a data: address, so that every asset keeps a hashed name and a far-future cache.
    assetsInlineLimit: 0,
    // Every browser that knows import maps knows modulepreload too.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': SERVER, '/trpc': SERVER, '/photos': SERVER } },
})
