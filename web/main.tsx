import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { tolerateTranslators } from './lib/translated-pages.ts'
import { router } from './router.tsx'
import './styles.css'

// Chrome has it since version 100.
AbortSignal.prototype.throwIfAborted ??= function (this: AbortSignal) {
  if (this.aborted) throw this.reason
}
tolerateTranslators()

// The HTML that the server sent stays until the page's own code is loaded. Then React replaces it in one commit.
// There is no top-level await: with one the bundler splits this file's imports into a dozen small files.
void router.load().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
)
