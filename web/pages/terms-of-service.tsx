import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english.ts'
import { LegalText } from '../features/legal/legal-text.tsx'
import { usePageHead } from '../lib/page-head.ts'

export default function TermsOfServicePage() {
  usePageHead(PAGES.termsOfService, pageTitles.termsOfService)
  return <LegalText title="Terms of Service" updated="August 19, 2025" sections={SECTIONS} />
}

const SECTIONS = [
  {
    heading: 'What the service is',
    body: (
      <p>
        Inframe stores the photos of an event, finds the faces in them, and lets anyone with the album's link
        and password search it with a selfie. By using it you agree to these terms and to the Privacy Policy.
      </p>
    ),
  },
  {
    heading: 'If you create an album',
    body: (
      <ul>
        <li>Upload only photos that you took or may share.</li>
        <li>
          Tell the people in them that faces are recognised automatically, and get their consent where the law
          requires it. For children, their parents give it.
        </li>
        <li>
          Give the password only to people who should see the photos. The browser in which you created the
          album keeps its key, so anyone who uses that browser can add photos.
        </li>
        <li>Photos are JPEG or PNG, at most 5 MB each. Keep your own originals: an album is no backup.</li>
      </ul>
    ),
  },
  {
    heading: 'If you are a guest',
    body: (
      <ul>
        <li>Search with a selfie of your own face, or of someone who asked you to.</li>
        <li>Use what you find with respect for the other people in the photo.</li>
        <li>Do not pass the password on without the organiser's consent.</li>
      </ul>
    ),
  },
  {
    heading: 'What nobody may do',
    body: (
      <p>
        Upload unlawful or harmful content, search for people in order to harass or identify them against
        their will, guess passwords, copy albums automatically, or disturb the service for others.
      </p>
    ),
  },
  {
    heading: 'Your photos stay yours',
    body: (
      <p>
        You allow us to store, resize, index and deliver the photos as far as the service needs it, for as
        long as the album exists. We claim nothing beyond that.
      </p>
    ),
  },
  {
    heading: 'What we cannot promise',
    body: (
      <p>
        Face recognition makes mistakes: it may miss a photo you are in, or show one you are not in.
        Processing may take minutes to several hours. The service is offered as it is, and as far as the law
        allows we are not liable for loss that follows from its use.
      </p>
    ),
  },
  {
    heading: 'Ending and changing',
    body: (
      <p>
        An album that breaks these terms may be erased. When these terms change, this page shows the new text
        with its date.
      </p>
    ),
  },
]
