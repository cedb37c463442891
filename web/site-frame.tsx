import { Link, Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useRef } from 'react'
import { siteFrame as texts } from '../src/texts/english/site.ts'
import { usePageHead } from './lib/page-head.ts'
import { LogoMark } from './ui/icons.tsx'

const NAV_LINK =
  'inline-flex min-h-11 items-center rounded-md px-2 text-[0.9375rem] font-medium whitespace-nowrap text-ink-soft hover:text-ink sm:px-3'
const FOOT_LINK = 'inline-flex min-h-11 items-center hover:text-ink hover:underline'

/** The frame around every page: top bar, content, footer. */
export function SiteFrame() {
  const main = useRef<HTMLElement>(null)
  const router = useRouter()
  usePageHead(useMatches({ select: (open) => open.at(-1)?.staticData.page }))

  // After a change of page, a screen reader starts at its top, or at the part that its address names.
  useEffect(() => {
    focusPart(window.location.hash.slice(1))
    return router.subscribe('onResolved', ({ pathChanged, fromLocation, toLocation }) => {
      if (!focusPart(toLocation.hash) && pathChanged && fromLocation)
        main.current?.focus({ preventScroll: true })
    })
  }, [router])

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="absolute top-2 left-2 z-50 -translate-y-24 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        {texts.skip}
      </a>
      <header className="sticky top-0 z-40 border-b border-line bg-paper/90 backdrop-blur-md">
        <div className="mx-auto flex min-h-16 max-w-page items-center justify-between gap-2 px-4 sm:px-6">
          <Link to="/" className="flex min-h-11 items-center gap-2.5 rounded-md">
            <LogoMark />
            <span className="text-xl font-bold tracking-tight">Inframe</span>
          </Link>
          <nav aria-label={texts.mainNavigation} className="-mr-2 flex sm:-mr-3">
            <Link to="/" activeOptions={{ includeHash: true }} className={NAV_LINK}>
              {texts.home}
            </Link>
            <Link
              to="/"
              hash="how-it-works"
              activeOptions={{ includeHash: true }}
              onClick={scrollAgain}
              className={NAV_LINK}
            >
              {texts.howItWorks}
            </Link>
          </nav>
        </div>
      </header>
      {/* As high as the window, so that the footer is below it before the page's content is loaded. */}
      <main id="content" ref={main} tabIndex={-1} className="min-h-[calc(100dvh-4rem)] grow outline-none">
        <Outlet />
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-6 text-sm text-ink-soft sm:px-6">
          <p>{texts.motto}</p>
          <nav aria-label={texts.footNavigation} className="flex flex-wrap gap-x-5">
            <Link to="/albums" className={FOOT_LINK}>
              {texts.albums}
            </Link>
            <Link to="/privacy-policy" className={FOOT_LINK}>
              {texts.privacy}
            </Link>
            <Link to="/terms-of-service" className={FOOT_LINK}>
              {texts.terms}
            </Link>
          </nav>
        </div>
      </footer>
    </div>
  )
}

/** Scrolls to the part again when the address already names it: the router then does nothing. */
function scrollAgain(click: MouseEvent<HTMLAnchorElement>): void {
  const { href, hash } = click.currentTarget
  if (href !== window.location.href || !focusPart(hash.slice(1))) return
  click.preventDefault()
  document.getElementById(hash.slice(1))?.scrollIntoView()
}

/** Moves the focus to a part of the page. @returns false when the page has no such part. */
function focusPart(id: string): boolean {
  const part = id === '' ? null : document.getElementById(id)
  part?.focus({ preventScroll: true })
  return part !== null
}
