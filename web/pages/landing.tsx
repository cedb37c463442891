import { Link } from '@tanstack/react-router'
import { landing as texts } from '../../src/texts/english/landing.ts'
import { Later, lazyPart, orNothing } from '../lib/lazy-part.ts'
import { buttonLook } from '../ui/button-look.ts'
import { ArrowIcon, FaceIcon } from '../ui/icons.tsx'
import found from '../ui/pictures/found.svg'
import stepFaces from '../ui/pictures/step-faces.svg'
import stepFind from '../ui/pictures/step-find.svg'
import stepShare from '../ui/pictures/step-share.svg'
import stepUpload from '../ui/pictures/step-upload.svg'

/** Most visitors are no organisers, so the page does not wait for it. */
const ReturningOrganiser = lazyPart(() => import('../features/own-albums/your-albums.tsx').catch(orNothing))

const STEPS = [
  { picture: stepUpload, title: texts.upload, text: texts.uploadText },
  { picture: stepFaces, title: texts.faces, text: texts.facesText },
  { picture: stepShare, title: texts.share, text: texts.shareText },
  { picture: stepFind, title: texts.find, text: texts.findText },
]

const PROMISES = [
  { title: texts.selfies, text: texts.selfiesText },
  { title: texts.guests, text: texts.guestsText },
  { title: texts.metadata, text: texts.metadataText },
]

export default function LandingPage() {
  return (
    <>
      <section className="mx-auto grid max-w-page items-center gap-x-14 gap-y-12 px-4 pt-10 pb-16 sm:px-6 sm:pt-14 lg:grid-cols-[1fr_1.06fr] lg:pt-16 lg:pb-24">
        <div>
          <p className="mb-5 inline-flex items-center gap-2 rounded-full bg-accent-wash px-3.5 py-1.5 text-sm font-semibold max-[23rem]:px-2.5 max-[23rem]:text-xs">
            <FaceIcon className="size-4" />
            {texts.lead}
          </p>
          <h1 className="text-display font-bold">{texts.title}</h1>
          <p className="mt-6 max-w-[34rem] text-lg text-ink-soft sm:text-xl">{texts.subtitle}</p>
          <Link to="/get-started" className={`${buttonLook('primary', 'lg')} mt-8 max-sm:w-full`}>
            {texts.getStarted}
            <ArrowIcon />
          </Link>
          <Later>
            <ReturningOrganiser />
          </Later>
        </div>
        <img
          src={found}
          width="640"
          height="584"
          alt={texts.picture}
          className="mx-auto h-auto w-full max-w-[40rem]"
        />
      </section>

      <section aria-labelledby="how-it-works" className="border-t border-line bg-surface">
        <div className="mx-auto max-w-page px-4 py-16 sm:px-6 lg:py-24">
          <h2 id="how-it-works" tabIndex={-1} className="text-title font-bold outline-none">
            {texts.howItWorks} <span className="whitespace-nowrap text-ink-soft">{texts.steps}</span>
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

      <section aria-label={texts.promises} className="border-t border-line">
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
            {texts.createAlbum}
            <ArrowIcon />
          </Link>
        </div>
      </section>
    </>
  )
}
