import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePageHead } from '../lib/page-head.ts'
import { buttonLook } from '../ui/button.tsx'
import { FoundIllustration } from '../ui/found-illustration.tsx'
import { ArrowIcon, FaceIcon, LinkIcon, SearchIcon, UploadIcon } from '../ui/icons.tsx'

const STEPS: { icon: ReactNode; title: string; text: string }[] = [
  {
    icon: <UploadIcon className="size-6" />,
    title: 'Upload Event Photos',
    text: 'Bulk upload your photos, thousands at a time, to create an album.',
  },
  {
    icon: <FaceIcon className="size-6" />,
    title: 'AI Recognition Magic',
    text: 'Every photo is scanned, and a searchable face index is built automatically.',
  },
  {
    icon: <LinkIcon className="size-6" />,
    title: 'Share Your Album',
    text: 'You get a unique, password-protected link for everyone who was there.',
  },
  {
    icon: <SearchIcon className="size-6" />,
    title: 'Find Your Moments',
    text: 'Anyone uploads a selfie at the private link and sees all photos featuring them.',
  },
]

export function LandingPage() {
  usePageHead('Inframe')
  return (
    <>
      <section className="mx-auto grid max-w-page items-center gap-x-14 gap-y-12 px-4 pt-12 pb-16 sm:px-6 sm:pt-16 lg:grid-cols-[1.05fr_1fr] lg:pt-20 lg:pb-24">
        <div>
          <p className="mb-5 inline-flex items-center gap-2 rounded-full bg-accent-wash px-3.5 py-1.5 text-sm font-semibold">
            <FaceIcon className="size-4" />
            Facial recognition, without the friction
          </p>
          <h1 className="text-display font-bold">Let facial recognition do your photo tagging.</h1>
          <p className="mt-6 max-w-[34rem] text-lg text-ink-soft sm:text-xl">
            Upload your event photos and get a shareable link. Attendees drop a selfie to find every photo
            they are in.
          </p>
          <Link to="/get-started" className={`${buttonLook('primary', 'lg')} mt-8 max-sm:w-full`}>
            Get Started
            <ArrowIcon />
          </Link>
        </div>
        <FoundIllustration className="mx-auto w-full max-w-[38rem]" />
      </section>

      <section
        id="how-it-works"
        aria-labelledby="how-it-works-title"
        className="border-t border-line bg-surface"
      >
        <div className="mx-auto max-w-page px-4 py-16 sm:px-6 lg:py-24">
          <h2 id="how-it-works-title" className="text-title font-bold">
            How It Works <span className="text-ink-soft">- 4 simple steps</span>
          </h2>
          <ol className="mt-10 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            {STEPS.map(({ icon, title, text }, index) => (
              <li key={title} className="rounded-xl border border-line bg-paper p-6">
                <div className="flex items-center justify-between">
                  <span className="grid size-12 place-items-center rounded-full bg-accent text-on-accent">
                    {icon}
                  </span>
                  <span className="text-4xl font-bold text-line-strong tabular-nums" aria-hidden="true">
                    {index + 1}
                  </span>
                </div>
                <h3 className="mt-5 text-heading font-semibold">{title}</h3>
                <p className="mt-1.5 text-ink-soft">{text}</p>
              </li>
            ))}
          </ol>
        </div>
      </section>
    </>
  )
}
