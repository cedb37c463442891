import { Link } from '@tanstack/react-router'
import { PAGES } from '../../src/contract/pages.ts'
import { usePageHead } from '../lib/page-head.ts'
import { buttonLook } from '../ui/button-look.ts'
import { ArrowIcon, FaceIcon } from '../ui/icons.tsx'
import found from '../ui/pictures/found.svg'
import stepFaces from '../ui/pictures/step-faces.svg'
import stepFind from '../ui/pictures/step-find.svg'
import stepShare from '../ui/pictures/step-share.svg'
import stepUpload from '../ui/pictures/step-upload.svg'

const STEPS = [
  {
    picture: stepUpload,
    title: 'Upload Event Photos',
    text: 'Bulk upload your photos, thousands at a time, to create an album.',
  },
  {
    picture: stepFaces,
    title: 'AI Recognition Magic',
    text: 'Every photo is scanned, and a searchable face index is built automatically.',
  },
  {
    picture: stepShare,
    title: 'Share Your Album',
    text: 'You get a unique, password-protected link for everyone who was there.',
  },
  {
    picture: stepFind,
    title: 'Find Your Moments',
    text: 'Anyone uploads a selfie at the private link and sees all photos featuring them.',
  },
]

const PROMISES = [
  {
    title: 'Selfies are not kept',
    text: 'Each one is deleted after processing, within 5 minutes at the latest.',
  },
  { title: 'Only for your guests', text: 'Nobody opens an album without its link and its password.' },
  {
    title: 'Nothing given away',
    text: 'The photos that guests receive carry no location and no camera data.',
  },
]

export default function LandingPage() {
  usePageHead(PAGES.landing)
  return (
    <>
      <section className="mx-auto grid max-w-page items-center gap-x-14 gap-y-12 px-4 pt-10 pb-16 sm:px-6 sm:pt-14 lg:grid-cols-[1fr_1.06fr] lg:pt-16 lg:pb-24">
        <div>
          <p className="mb-5 inline-flex items-center gap-2 rounded-full bg-accent-wash px-3.5 py-1.5 text-sm font-semibold max-[23rem]:px-2.5 max-[23rem]:text-xs">
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
        <img
          src={found}
          width="640"
          height="584"
          alt="Party photos. The guest whose selfie is on the phone is marked in four of them."
          className="mx-auto h-auto w-full max-w-[40rem]"
        />
      </section>

      <section aria-labelledby="how-it-works" className="border-t border-line bg-surface">
        <div className="mx-auto max-w-page px-4 py-16 sm:px-6 lg:py-24">
          <h2 id="how-it-works" tabIndex={-1} className="text-title font-bold outline-none">
            How It Works <span className="whitespace-nowrap text-ink-soft">- 4 simple steps</span>
          </h2>
          <ol className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
            {STEPS.map(({ picture, title, text }, index) => (
              <li key={title} className="overflow-hidden rounded-xl border border-line bg-paper">
                <img src={picture} width="320" height="180" alt="" loading="lazy" className="h-auto w-full" />
                <div className="relative px-5 pt-8 pb-6">
                  <span
                    aria-hidden="true"
                    className="absolute -top-5 left-5 grid size-10 place-items-center rounded-full bg-accent text-lg font-bold text-on-accent tabular-nums ring-4 ring-paper"
                  >
                    {index + 1}
                  </span>
                  <h3 className="text-heading font-semibold">{title}</h3>
                  <p className="mt-1.5 text-ink-soft">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
      </section>

      <section aria-label="What you can rely on" className="border-t border-line">
        <div className="mx-auto grid max-w-page gap-x-14 gap-y-10 px-4 py-16 sm:px-6 lg:grid-cols-[1fr_auto] lg:items-center lg:py-20">
          <ul className="grid gap-x-8 gap-y-6 sm:grid-cols-3">
            {PROMISES.map(({ title, text }) => (
              <li key={title} className="border-l-3 border-accent pl-4">
                <p className="font-semibold">{title}</p>
                <p className="mt-1 text-ink-soft">{text}</p>
              </li>
            ))}
          </ul>
          <Link to="/get-started" className={`${buttonLook('secondary', 'lg')} sm:justify-self-start`}>
            Create your album
            <ArrowIcon />
          </Link>
        </div>
      </section>
    </>
  )
}
