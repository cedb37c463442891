import { z } from 'zod'
import { ANSWERED_MAX_FACES, REMEMBERED_DAYS } from '../contract/limits.ts'
import { type Album, ENGINES, type EngineName } from '../database/schema.ts'
import { uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import { type Keyring, TokenRefused } from '../keyring.ts'

/** What stands in place of a person's selfies, and the engine that can use it: see FaceIndex. It is biometric data. */
export interface Evidence {
  engine: EngineName
  bytes: Buffer
}

/** What a person has said about faces, by their ids. */
export interface Answers {
  confirmed: string[]
  rejected: string[]
}

/** What finds a person in an album again without a selfie. */
export interface RememberedPerson extends Answers {
  evidence: Evidence
}

/** What a search hands back, so that it can be repeated: for further photos, answers to questions, a second person, an
 *  opt-out, letters, or a later visit. Nothing of it is stored here. It gives no right to the album. */
export interface SearchToken {
  evidence: Evidence
  /** How many selfies that is. */
  selfies: number
  /** When the last of them was sent, ms since 1970. */
  selfiesAt: number
  /** When the search began that gave this token, ms since 1970. */
  searchedAt: number
  /** What the person had said before this visit. */
  kept: Answers
  /** What the person has said in this visit, and may take back. */
  answers: Answers
  /** The faces that the person was asked about. A confirmed face leads to photos that the selfie does not find, and the id of a
   *  face can be computed from the public id of its photo. So nobody may confirm a face that is not here. */
  asked: string[]
  /** When a person who is remembered is forgotten, ms since 1970. */
  rememberedUntil?: number | undefined
}

/** Whose search it is. */
export interface Searcher {
  album: Pick<Album, 'id' | 'password_version'>
  sessionId: string
  /** The session owns the album, so it does not end with the password. */
  isOwner?: boolean | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const ID_BYTES = 16

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'))
const ids = bytes.transform((all) =>
  Array.from({ length: all.length / ID_BYTES }, (_, index) => uuidOf(all, index * ID_BYTES)),
)
const answers = z.object({ confirmed: ids, rejected: ids })

/** A remembered person as text. */
export const personOfText = answers.extend({ evidence: z.object({ engine: z.enum(ENGINES), bytes }) })

export function textOfPerson({ evidence, ...said }: RememberedPerson): z.input<typeof personOfText> {
  return { evidence: { ...evidence, bytes: evidence.bytes.toString('base64') }, ...textOf(said) }
}

const textOf = ({ confirmed, rejected }: Answers) => ({
  confirmed: textOfIds(confirmed),
  rejected: textOfIds(rejected),
})
const textOfIds = (some: string[]) => Buffer.from(some.join('').replaceAll('-', ''), 'hex').toString('base64')

const content = z.object({
  person: personOfText,
  selfies: z.int(),
  selfiesAt: z.int(),
  searchedAt: z.int(),
  kept: answers,
  asked: ids,
  rememberedUntil: z.int().optional(),
  /** Null for the owner. */
  passwordVersion: z.int().nullable(),
})

/** The page says why, and offers a new selfie. */
const searchOver = (why: string) =>
  new AppError('FORBIDDEN', `${why} Search with a selfie again.`, { reason: 'search_over' })
export const searchEnded = () =>
  searchOver('Your search has ended: it lasts for an hour after this page was last open.')
export const searchOfFormerPassword = () =>
  searchOver('The password of this album has changed since your search.')
export const searchUnknown = () => searchOver('This search cannot be continued here.')

/** A token for an hour, or for REMEMBERED_DAYS when the person wants to be remembered. A token that is made from that of a
 *  remembered person ends with it, so nobody is remembered for longer. Only the session that searched can use it. */
export function sealSearch(
  keyring: Keyring,
  { album, sessionId, isOwner = false }: Searcher,
  { evidence, kept, answers: said, asked, ...search }: SearchToken,
  remember: boolean,
): { token: string; endsAt: Date } {
  const now = Date.now()
  const rememberedUntil = search.rememberedUntil ?? (remember ? now + REMEMBERED_DAYS * DAY_MS : undefined)
  const endsAt = Math.min(remember ? Infinity : now + HOUR_MS, rememberedUntil ?? Infinity)
  const sealed: z.input<typeof content> = {
    ...search,
    person: textOfPerson({ evidence, ...said }),
    kept: textOf(kept),
    asked: textOfIds(asked),
    rememberedUntil,
    passwordVersion: isOwner ? null : album.password_version,
  }
  const token = keyring.seal('search', contextOf({ album, sessionId }), sealed, (endsAt - now) / 1000)
  return { token, endsAt: new Date(endsAt) }
}

/** @param token an untrusted text
 *  @throws AppError FORBIDDEN when it has ended, the album has another password since, or it is not from a search of this session
 *  in this album */
export function openSearch(keyring: Keyring, searcher: Searcher, token: string): SearchToken {
  const { person, passwordVersion, ...search } = contentOf(keyring, searcher, token)
  if (passwordVersion !== null && passwordVersion !== searcher.album.password_version)
    throw searchOfFormerPassword()
  const { evidence, ...said } = person
  return { ...search, evidence, answers: said }
}

function contentOf(keyring: Keyring, searcher: Searcher, token: string): z.output<typeof content> {
  try {
    return keyring.open('search', contextOf(searcher), content, token)
  } catch (error) {
    if (error instanceof TokenRefused) throw error.why === 'ended' ? searchEnded() : searchUnknown()
    throw error
  }
}

/** What a token is bound to, besides the password. The version of that is inside, so that the refusal can name it. */
const contextOf = ({ album, sessionId }: Searcher) => `${album.id} ${sessionId}`

/** Whether the token shows who is asking: its selfies were sent within the last hour. */
export const isByNewSelfies = ({ selfiesAt }: Pick<SearchToken, 'selfiesAt'>) =>
  Date.now() - selfiesAt < HOUR_MS

/** What a person has said about faces, with the later answer to each, at most ANSWERED_MAX_FACES of each kind. */
export function mergeAnswers(former: Answers, later: Answers): Answers {
  const isAnsweredAgain = new Set([...later.confirmed, ...later.rejected])
  const left = (some: string[]) => some.filter((id) => !isAnsweredAgain.has(id))
  return {
    confirmed: [...later.confirmed, ...left(former.confirmed)].slice(0, ANSWERED_MAX_FACES),
    rejected: [...later.rejected, ...left(former.rejected)].slice(0, ANSWERED_MAX_FACES),
  }
}
