import { escaped, htmlLetter, inDigits, isolated, MUTED, oneLine } from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

type Content = Pick<Letter, 'subject' | 'text' | 'html'>

const CONFIRM_SUBJECT = 'Please confirm your email address'
const ASKED = [
  'Somebody has asked for letters to this address: one when there are new photos',
  'of them in an album, at most one a day, for 30 days.',
]
const NOT_ASKED = [
  'If that was not you, you need not do anything. Without your confirmation no other',
  'letter is sent, and your address is deleted after a day. The link "This was not',
  'me" deletes it now, and nobody can ask for such letters from this album again.',
]

/** The letter that asks a guest to confirm an address. Anybody may have entered it, so the letter has a fixed subject, and
 *  nothing that the owner or the guest wrote except a short name that is no link.
 *  @param links the pages that confirm the address, and that say it was somebody else */
export function confirmAlertLetter({
  albumName,
  confirmLink,
  refuseLink,
}: {
  albumName: string
  confirmLink: string
  refuseLink: string
}): Content {
  const name = unlinkableName(albumName)
  const text = [
    ...ASKED,
    ...(name ? [`The name of the album is ${isolated(name)}.`] : []),
    '',
    `Yes, send me these letters: ${confirmLink}`,
    '',
    `This was not me: ${refuseLink}`,
    ...NOT_ASKED,
  ]
  const html = htmlLetter(
    CONFIRM_SUBJECT,
    [
      `<p style="margin:0 0 16px">${ASKED.join('\n')}</p>`,
      ...(name
        ? [`<p style="margin:0 0 16px">The name of the album is <bdi>&quot;${escaped(name)}&quot;</bdi>.</p>`]
        : []),
      `<p style="margin:24px 0">${button(confirmLink, 'Yes, send me these letters')}</p>`,
      `<p style="margin:32px 0 0;font-size:14px"><span style="${MUTED}">${NOT_ASKED.join('\n')}</span></p>`,
      `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(refuseLink)}">This was not me</a></p>`,
    ],
    // As in the letter to an owner who is not confirmed.
    ['<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">'],
  )
  return { subject: CONFIRM_SUBJECT, text: `${text.join('\n')}\n`, html }
}

export interface News {
  /** As the owner typed it. */
  albumName: string
  /** How many new photos of the guest there are. */
  photos: number
  /** The album. Its password is not in the letter: guests know it. */
  link: string
  /** The page that ends these letters. */
  endLink: string
}

const PASSWORD = [
  'Open the album with the password that you got from the organiser, and search with',
  'a selfie.',
]
const ENDING = [
  'You get this letter because you asked for it. One press ends these letters, and',
  'deletes your address and the description of your face:',
]

/** The letter that says to a guest how many new photos there are. */
export function newsLetter({ albumName, photos, link, endLink }: News): Content {
  const count = photos === 1 ? '1 new photo' : `${inDigits(photos)} new photos`
  const text = [
    `${count} of you in ${isolated(albumName)}.`,
    '',
    `See them: ${link}`,
    '',
    ...PASSWORD,
    '',
    ...ENDING,
    endLink,
  ]
  const html = htmlLetter(`${count} of you in <bdi>${escaped(albumName)}</bdi>`, [
    `<p style="margin:0 0 16px">${PASSWORD.join('\n')}</p>`,
    `<p style="margin:24px 0">${button(link, 'See them')}</p>`,
    `<p style="margin:32px 0 0;font-size:14px"><span style="${MUTED}">${ENDING.join('\n')}</span></p>`,
    `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(endLink)}">End these letters</a></p>`,
  ])
  return { subject: `${count} of you in ${oneLine(albumName)}`, text: `${text.join('\n')}\n`, html }
}

const button = (link: string, text: string) =>
  `<a href="${escaped(link)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#4338ca;color:#ffffff;font-weight:600;text-decoration:none">${text}</a>`
