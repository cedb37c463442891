import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './router.tsx'
import './styles.css'

// Until the page's own code is here, what the server sent keeps standing; then one commit takes its place.
// Not awaited at the top: the bundler would then split this file's imports into a dozen small ones.
void router.load().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
)
