import { type ErrorComponentProps, lazyRouteComponent, useRouter } from '@tanstack/react-router'
import { buttonLook } from './button.tsx'

/** The code of a page did not arrive because the browser is offline. */
class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded'
}

/** A page that is loaded on demand. The router itself loads the whole document anew when a page's code is missing,
 *  as it is after a new version was installed; offline that would leave the visitor with the browser's own error. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw navigator.onLine ? error : new PageNotLoaded('The page could not be loaded', { cause: error })
      }),
    name,
  )

/** Stands in the place of a page that could not be loaded or shown. */
export function PageTrouble({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <div role="alert" className="mx-auto flex max-w-form flex-col items-center px-4 py-14 text-center">
      <h1 className="text-2xl font-bold tracking-tight">
        {error instanceof PageNotLoaded ? 'You are offline' : 'This page could not be shown'}
      </h1>
      <p className="mt-2 text-ink-soft">
        {error instanceof PageNotLoaded
          ? 'The page is loaded as soon as you are connected again.'
          : 'Something went wrong on our side. Trying again may help.'}
      </p>
      <button type="button" onClick={() => void router.invalidate()} className={`mt-6 ${buttonLook()}`}>
        Try again
      </button>
    </div>
  )
}
