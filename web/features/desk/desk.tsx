import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { desk as texts } from '../../../src/texts/english/desk/desk.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { ChevronIcon } from '../../ui/action-icons.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SECTIONS, type Section, type SectionProps } from './sections.ts'

const Overview = lazyPart(() => import('./overview.tsx'))

/** The organiser's desk of an album: its overview, or one of its sections. On a wide window the sections stand beside it; on a
 *  phone they stand below the overview, and each section leads back to it. */
export default function Desk({ section, ...props }: SectionProps & { section: Section | undefined }) {
  const { albumName, displayName } = props.album
  const Part = section?.part ?? Overview
  return (
    <Page>
      <div className="flex flex-col-reverse gap-6 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10">
        <nav aria-label={texts.sections} className={section && 'max-lg:hidden'}>
          <p className="mb-3 px-3 font-semibold break-words max-lg:hidden">
            <bdi>{displayName}</bdi>
          </p>
          <ul className="rounded-xl max-lg:divide-y max-lg:divide-line max-lg:border max-lg:border-line max-lg:bg-surface max-lg:shadow-card lg:space-y-1">
            <li className="max-lg:hidden">
              <SectionLink albumName={albumName} title={texts.overview} />
            </li>
            {SECTIONS.map(({ name, title, text }) => (
              <li key={name}>
                <SectionLink albumName={albumName} name={name} title={title} text={text} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          <header className="mb-6 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
            {section && (
              <Link
                to="/manage/$albumName/{-$section}"
                params={{ albumName }}
                className="mb-2 inline-flex w-full min-h-11 items-center gap-1 text-ink-soft hover:text-ink lg:hidden"
              >
                <ChevronIcon className="size-4 rotate-180 rtl:rotate-0" />
                {texts.back}
              </Link>
            )}
            <h1 className="min-w-0 text-title font-bold break-words">
              {section?.title ?? <bdi>{displayName}</bdi>}
            </h1>
            {(!section || section.name === 'share') && (
              // In a new tab, while this browser stays the owner's.
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
            )}
          </header>
          <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
            <Part {...props} />
          </Suspense>
        </div>
      </div>
    </Page>
  )
}

interface SectionLinkProps {
  albumName: string
  /** Of the section; without it, the link leads to the overview. */
  name?: string
  title: string
  /** Is only shown on a phone. */
  text?: string
}

const SectionLink = ({ albumName, name, title, text }: SectionLinkProps) => (
  <Link
    to="/manage/$albumName/{-$section}"
    params={{ albumName, section: name }}
    activeOptions={{ exact: true, includeSearch: false }}
    className="flex min-h-11 items-center gap-3 rounded-md px-3 py-2 font-medium hover:bg-sunken max-lg:min-h-16 max-lg:px-5 max-lg:font-semibold"
    activeProps={{ className: 'bg-accent-wash' }}
    inactiveProps={{ className: 'lg:text-ink-soft' }}
  >
    <span className="min-w-0 grow">
      {title}
      <span className="block text-sm font-normal text-ink-soft lg:hidden">{text}</span>
    </span>
    <ChevronIcon className="rtl:rotate-180 lg:hidden" />
  </Link>
)
