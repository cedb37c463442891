import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { FoundPhoto, PossiblePhoto, SearchedSelfie, SearchOutput } from '../../src/contract/search.ts'
import type { Db } from '../../src/database/client.ts'
import { samplePath } from '../../src/testing/sample-photos.ts'

export type Box = PossiblePhoto['face']['box']

/** What a page has sent with a search. */
export interface SentSearch {
  /** How many pictures. */
  selfies: number
  faces: string
  confirmed: string[]
  rejected: string[]
}

/** Changes what searches answer.
 *  @param change gets the service's own answer
 *  @returns what the page has sent so far */
export async function changeAnswers(
  page: Page,
  change: (answer: SearchOutput, sent: SentSearch) => SearchOutput,
): Promise<SentSearch[]> {
  const searches: SentSearch[] = []
  await page.route('**/api/search-in-album', async (route) => {
    const body = route.request().postDataBuffer()!.toString('latin1')
    const sent = readForm(body)
    searches.push(sent)
    // The service did not ask about the faces that a change has made up, so it takes no answers about them.
    const withoutAnswers = body.replaceAll(/(name="(?:confirmed|rejected)"\r\n\r\n)[^\r]*/g, '$1')
    const answer = await route.fetch({ postData: Buffer.from(withoutAnswers, 'latin1') })
    await route.fulfill({ response: answer, json: change(await answer.json(), sent) })
  })
  // The copies in the albums of tests have no previews. All show sample 1.
  await page.route('**/photos/*/preview?*', async (route) =>
    route.fulfill({ contentType: 'image/jpeg', body: await sharp(samplePath(1)).jpeg().toBuffer() }),
  )
  return searches
}

function readForm(body: string): SentSearch {
  const field = (name: string) => new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(body)?.[1] ?? ''
  const list = (name: string) => field(name).split(',').filter(Boolean)
  return {
    selfies: body.split('name="photo"').length - 1,
    faces: field('faces'),
    confirmed: list('confirmed'),
    rejected: list('rejected'),
  }
}

/** An answer in which only the first of the found photos are sure, and the visitor is asked about others. Those that are
 *  confirmed are sure, and lead to one more.
 *  @param boxes where the faces in question are, in turn */
export function unsureOf(
  { photos, ...answer }: SearchOutput,
  { confirmed, rejected }: SentSearch,
  { sure, asked, boxes }: { sure: number; asked: number; boxes: Box[] },
): SearchOutput {
  const inQuestion = photos
    .slice(sure, sure + asked)
    .map((photo, place) => asPossible(photo, place, boxes[place % boxes.length]!))
  const isConfirmed = ({ face }: PossiblePhoto) => confirmed.includes(face.id)
  const isOpen = (photo: PossiblePhoto) => !isConfirmed(photo) && !rejected.includes(photo.face.id)
  const led = confirmed.length > 0 ? photos.slice(sure + asked, sure + asked + 1) : []
  // What was confirmed is the best match.
  const found = [...inQuestion.filter(isConfirmed), ...led, ...photos.slice(0, sure)]
  return {
    ...answer,
    photos: found,
    totalMatches: found.length,
    possible: inQuestion.filter(isOpen),
  }
}

const asPossible = (photo: FoundPhoto, place: number, box: Box): PossiblePhoto => ({
  ...photo,
  similarity: 70 - place,
  face: { id: faceId(place), box },
})

/** The id of a face in question. */
export const faceId = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`

/** What the service sees in a good selfie. */
export function seenSelfie(boxes: Box[], news: Partial<SearchedSelfie> = {}): SearchedSelfie {
  return { faces: boxes.map((box) => ({ box })), searched: 0, problems: [], isSomebodyElse: false, ...news }
}

/** Where the faces of an indexed photo are, the largest first. */
export async function boxesIn(db: Db, filename: string): Promise<Box[]> {
  const faces = await db
    .selectFrom('faces')
    .innerJoin('photos', 'photos.id', 'faces.photo_id')
    .select(['box_left as left', 'box_top as top', 'box_width as width', 'box_height as height'])
    .where('photos.filename', '=', filename)
    .orderBy('box_width', 'desc')
    .execute()
  return faces.map(({ left, top, width, height }) => ({ left, top, width, height }))
}
