import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { desk as texts } from '../../../src/texts/english/desk/desk.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { ChevronIcon } from '../../ui/action-icons.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SECTIONS, type Section, type SectionProps } from './sections.ts'

const Overview = lazyPart(() => import('./overview.tsx'))

/** The organiser's desk of an album: its overview, or one of its sections. On a wide window the sections stand beside it; on a
 *  phone the overview lists them, and each section leads back to it. */
export default function Desk({ section, ...props }: SectionProps & { section: Section | undefined }) {
  const { albumName, displayName } = props.album
  const Part = section?.part ?? Overview
  return (
    <Page>
      <div className="lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10">
        <nav aria-label={texts.sections} className="max-lg:hidden">
          <p className="mb-3 px-3 font-semibold break-words">
            <bdi>{displayName}</bdi>
          </p>
          <ul className="space-y-1">
            <li>
              <SideLink albumName={albumName} title={texts.overview} />
            </li>
            {SECTIONS.map(({ name, title }) => (
              <li key={name}>
                <SideLink albumName={albumName} name={name} title={title} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          <header className="mb-6 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
            {section && (
              <SectionLink
                albumName={albumName}
                className="mb-2 inline-flex w-full min-h-11 items-center gap-1 text-ink-soft hover:text-ink lg:hidden"
              >
                <ChevronIcon className="size-4 rotate-180 rtl:rotate-0" />
                {texts.back}
              </SectionLink>
            )}
            <h1 className="min-w-0 text-title font-bold break-words">
              {section?.title ?? <bdi>{displayName}</bdi>}
            </h1>
            {(!section || section.name === 'share') && <LookAsGuest albumName={albumName} />}
          </header>
          <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
            <Part {...props} />
          </Suspense>
          {!section && <SectionList albumName={albumName} />}
        </div>
      </div>
    </Page>
  )
}

interface SectionLinkProps extends Pick<LinkProps, 'activeProps' | 'inactiveProps'> {
  albumName: string
  /** Of the section; without it, the link leads to the overview. */
  name?: string
  className: string
  children: ReactNode
}

const SectionLink = ({ albumName, name, ...rest }: SectionLinkProps) => (
  <Link
    to="/manage/$albumName/{-$section}"
    params={{ albumName, section: name }}
    activeOptions={{ exact: true }}
    {...rest}
  />
)

const SideLink = ({ title, ...to }: { albumName: string; name?: string; title: string }) => (
  <SectionLink
    {...to}
    className="flex min-h-11 items-center rounded-md px-3 font-medium hover:bg-sunken hover:text-ink"
    activeProps={{ className: 'bg-accent-wash' }}
    inactiveProps={{ className: 'text-ink-soft' }}
  >
    {title}
  </SectionLink>
)

/** Opens the album in a new tab as guests see it, while this browser stays the owner's. */
const LookAsGuest = ({ albumName }: { albumName: string }) => (
  <Link
    to="/album/$albumName"
    params={{ albumName }}
    search={{ as: 'guest' }}
    target="_blank"
    rel="noopener"
    className={buttonLook('secondary')}
  >
    {texts.lookAsGuest}
  </Link>
)

/** The sections for a window in which they do not stand beside the page. */
function SectionList({ albumName }: { albumName: string }) {
  return (
    <nav aria-label={texts.sections} className="mt-6 lg:hidden">
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface shadow-card">
        {SECTIONS.map(({ name, title, text }) => (
          <li key={name}>
            <SectionLink
              albumName={albumName}
              name={name}
              className="flex min-h-16 items-center gap-3 px-5 py-2 hover:bg-sunken"
            >
              <span className="min-w-0 grow">
                <span className="block font-semibold">{title}</span>
                <span className="block text-sm text-ink-soft">{text}</span>
              </span>
              <ChevronIcon className="rtl:rotate-180" />
            </SectionLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
