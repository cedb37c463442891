import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './router.tsx'
import './styles.css'

// The HTML that the server sent stays until the page's own code is loaded. Then React replaces it in one commit.
// There is no top-level await: with one the bundler splits this file's imports into a dozen small files.
void router.load().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
)
