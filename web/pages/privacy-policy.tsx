import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english.ts'
import { LegalText } from '../features/legal/legal-text.tsx'
import { usePageHead } from '../lib/page-head.ts'

export default function PrivacyPolicyPage() {
  usePageHead(PAGES.privacyPolicy, pageTitles.privacyPolicy)
  return <LegalText title="Privacy Policy" updated="August 19, 2025" sections={SECTIONS} />
}

const SECTIONS = [
  {
    heading: 'In short',
    body: (
      <p>
        Inframe keeps the photos an organiser uploads so that the people in them can find themselves. A selfie
        is used to search and is then deleted, within 5 minutes at the latest. We sell nothing, show no
        advertisements, and do not track you on other sites.
      </p>
    ),
  },
  {
    heading: 'What we collect',
    body: (
      <ul>
        <li>
          <strong>Email address</strong> of the organiser, to send the album's link and password. If you get
          such a letter and did not ask for it, its link "This was not me" ends the letters.
        </li>
        <li>
          <strong>Album names</strong>, as the organiser types them. The list of albums shows them to
          everyone.
        </li>
        <li>
          <strong>Uploaded photos</strong>, with their file names, and for each face in them a set of numbers
          that describes it (a face index), which is biometric data. With it we keep where the face is in the
          photo, and how sharp it is, how bright, and how far it is turned.
        </li>
        <li>
          <strong>IP and device data</strong>: the address your requests come from and what your browser says
          about itself. We use them to run the service, to slow down abuse, and to find faults.
        </li>
      </ul>
    ),
  },
  {
    heading: 'Selfies',
    body: (
      <>
        <p>
          On an album's page, your selfie is held in memory while the album is searched and is never written
          to our storage. Where a selfie has to be stored until it is matched, it is deleted right after that.
          In every case <strong>selfies are deleted within 5 minutes</strong>.
        </p>
        <p>
          A selfie is never added to an album or to its face index. The list of photos it was found in is kept
          only for a results page: until 30 seconds after you have seen it, and at most for an hour.
        </p>
        <p>
          A search needs the consent of the person in the selfie. You give it when you press the button, or
          tick the box above it. The page says there what you agree to. For each album we count the searches
          of a minute and the version of the text that was shown. We do not keep who searched, and the counts
          are deleted with the album. Only a parent or guardian may search for a child.
        </p>
        <p>
          Where the organiser allows it, you can look at all photos of an album instead. This needs no selfie.
        </p>
      </>
    ),
  },
  {
    heading: 'Coming back without a selfie',
    body: (
      <>
        <p>
          Only if you press <strong>Remember me</strong> after a search, your browser keeps a sealed text with
          which the album finds you without a selfie. It contains biometric data: the sets of numbers that
          describe your face in your selfies, or, where a cloud provider matches faces, which faces of the
          album it found to be yours. And it contains which faces you said are or are not yours. It is
          encrypted with a key that only the service has, so nobody can read it on your device.{' '}
          <strong>The service stores nothing of it.</strong> It reads it while it answers a search that your
          browser sends it for. Beside it, your browser keeps a list of the photos you have seen, to say how
          many are new.
        </p>
        <p>
          It works for this one album and for <strong>at most 30 days</strong>. It ends earlier when the
          album's password changes or the album is erased. "Forget me" on the album's page deletes it at once,
          and so does "Log out". What has ended is deleted when you open an album's page again. Until then,
          anyone who uses your browser and enters the album sees your photos.
        </p>
      </>
    ),
  },
  {
    heading: 'Letters about new photos of you',
    body: (
      <>
        <p>
          Only if you ask for it below the photos that a search found, and agree to it there, we write to you
          when there are new photos of you in that album: at most one letter a day, with their number and the
          album's link. For that we keep your email address and the sets of numbers that describe your face,
          which are biometric data, with the faces you said are or are not yours. All of it is encrypted. We
          also keep when you agreed, and to which text.
        </p>
        <p>
          The first letter only asks you to confirm the address. If you do not, everything is deleted after{' '}
          <strong>24 hours</strong>, and no other letter is sent. Otherwise it is deleted after{' '}
          <strong>30 days</strong>, with the album, or at once when you end it: each letter has a link for
          that, and so has the album's page in the browser in which you asked. If a letter was not meant for
          you, "This was not me" deletes everything, and nobody can ask for such letters to you from that
          album for 30 days.
        </p>
      </>
    ),
  },
  {
    heading: 'If you take yourself out of an album',
    body: (
      <>
        <p>
          Below the photos that your selfie found, you can have your face removed from the search. We then
          delete the numbers that describe these faces. We keep where they are in the photos, and how many
          there are, so that they stay out. The photos stay in the album, unless the organiser hides them at
          your wish. The organiser learns how many faces were removed, and not whose they are.
        </p>
        <p>
          If you also agree to stay out of photos that are added later, we keep one set of numbers that
          describes your face, which is biometric data. It is encrypted, used for nothing else, and deleted
          with the album.
        </p>
      </>
    ),
  },
  {
    heading: 'How photos and faces are used',
    body: (
      <ul>
        <li>
          Faces are compared only inside one album, and only to answer a search in that album, to leave out
          somebody who asked for it, or to write to somebody who asked for that.
        </li>
        <li>
          Faces are matched by the service itself, or by a cloud provider that works on our behalf. This
          depends on how this installation is set up.
        </li>
        <li>
          The photos guests receive carry no location and no camera data. Their addresses expire after an
          hour.
        </li>
      </ul>
    ),
  },
  {
    heading: 'Who can see an album',
    body: (
      <p>
        Its organiser, and anyone who has both its link and its password. A guest with a selfie sees the
        photos that match it. Where the organiser allows it, guests see all photos. Organisers choose whom
        they give the password to.
      </p>
    ),
  },
  {
    heading: 'Who else receives something',
    body: (
      <ul>
        <li>
          Letters to organisers and guests go through the mail provider that this installation is set up with.
        </li>
        <li>
          Some installations count downloads with Google Analytics. Where that is switched on and you download
          a photo, Google learns that a photo was downloaded, and your IP address and device data. Google sets
          no cookie, and does not learn which photo or album it was. Nothing else is loaded from other sites.
        </li>
      </ul>
    ),
  },
  {
    heading: 'What stays in your browser',
    body: (
      <ul>
        <li>
          One encrypted cookie that remembers which albums you have opened. It is needed for the service to
          work, and it tracks nothing else.
        </li>
        <li>
          For organisers: the email address, the album's name and the key to the album, and the names, sizes
          and dates of the photos that were uploaded, so that you can continue an upload later in the same
          browser.
        </li>
        <li>
          For guests who asked to be remembered: what finds them again, for at most 30 days (see "Coming back
          without a selfie").
        </li>
        <li>
          For guests who asked for letters about new photos: what ends these letters, and not the address, for
          at most 30 days.
        </li>
      </ul>
    ),
  },
  {
    heading: 'How long we keep it',
    body: (
      <p>
        An album, its photos and its face index stay until they are erased. To have an album erased, its
        organiser asks the people who run this installation of Inframe. To limit letters, we keep a code made
        from an email address that does not show the address: for a day after a letter, and for 30 days when
        the address was refused.
      </p>
    ),
  },
  {
    heading: 'Your choices',
    body: (
      <p>
        If you appear in an album and do not want to be found there, search it with your selfie and choose
        "Take me out of this album". If you do not want your photos there at all, or if you are an organiser
        and want an album erased, ask the organiser who gave you the link, or the people who run this
        installation of Inframe. You may also ask what we hold about you, and have it corrected.
      </p>
    ),
  },
]
