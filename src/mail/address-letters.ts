import { letterParts, addressLetters as texts } from '../texts/english.ts'
import { type Content, nameAsHtml } from './confirm-letter.ts'
import { htmlLetter, isolated, NO_OWN_LINKS } from './letter-parts.ts'
import { unlinkableName } from './unlinkable-name.ts'

/** The notice to the address that an album had before. It does not say the new one: the reader may be an owner who has
 *  handed the album over. */
export function formerAddressLetter({ albumName }: { albumName: string }): Content {
  const name = unlinkableName(albumName)
  const text = [
    `${texts.changedSubject}.`,
    ...(name ? [letterParts.ofAlbum(isolated(name))] : []),
    '',
    texts.noMore,
    '',
    texts.notYou,
  ]
  const html = htmlLetter(
    texts.changedSubject,
    [
      ...nameAsHtml(name),
      `<p style="margin:0 0 16px">${texts.noMore}</p>`,
      `<p style="margin:0 0 16px">${texts.notYou}</p>`,
    ],
    [NO_OWN_LINKS],
  )
  return { subject: texts.changedSubject, text: `${text.join('\n')}\n`, html }
}
