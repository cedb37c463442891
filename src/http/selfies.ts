import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  findAlbumByOwnerKey,
  type Grant,
  hasGrant,
  isOwner,
  noGrantOn,
  passwordNeeded,
  requireAlbumOfGuest,
  requireOwnedAlbum,
} from '../albums/access.ts'
import { countConsent, requireTick } from '../albums/consent.ts'
import { facesEnded, requireFaces } from '../albums/end-faces.ts'
import { countSearch, type SearchResult } from '../albums/guest-counts.ts'
import { findAlbums } from '../albums/queries.ts'
import { countCall, requireWithin } from '../albums/rate-limits.ts'
import type { AppContext } from '../context.ts'
import type { GivenConsent } from '../contract/consent.ts'
import { SEARCH_MAX_SELFIES, SEARCH_TOKEN_MAX_LENGTH } from '../contract/limits.ts'
import { type SearchFields, type SearchOutput, searchFields } from '../contract/search.ts'
import { type SubmitOutput, submitFields } from '../contract/submissions.ts'
import type { Album } from '../database/schema.ts'
import { AppError, hasCode } from '../errors.ts'
import { createLimiter, type Limiter } from '../processes/limiter.ts'
import type { SearchedPerson } from '../search/find-person.ts'
import { matchesSoFar } from '../search/queries.ts'
import { type AlbumQuery, searchAlbum } from '../search/search-album.ts'
import { type SearchableAlbum, submitSelfie, untilMatched } from '../search/submissions.ts'
import { hungUp, originOf } from './caller.ts'
import { beginSelfieForm, type FormOptions, type SelfieForm, type Selfies } from './forms.ts'
import { visitorOf } from './session.ts'

/** What the calls with a selfie use. */
export interface SelfieContext extends AppContext {
  /** Selfies that are in memory: while they arrive, and until they are answered. */
  selfies: Limiter
  /** Ms within which one has to arrive. */
  selfieArriveMs: number
}

/** A usual selfie takes one place. */
const PLACE_BYTES = 4 * 1024 * 1024
/** 128 MB in all. Twelve guests of a hall at once are more than the engines can answer. Who waits sends nothing meanwhile. */
const SELFIE_PLACES = { running: 32, perKey: 12, waiting: 300, waitMs: 10_000 }

export const manySearches = () =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'Many guests are searching for their photos at the moment. Please try again in a moment.',
    { reason: 'many_searches', retryAfter: 5, isBusy: true },
  )

export const limitSelfies = () => createLimiter({ ...SELFIE_PLACES, refusal: manySearches })

/** Searches one album and answers with the photos found. A guest whose album has been erased has no right any more, and
 *  is answered that it was not found. */
export async function searchInAlbum(
  services: SelfieContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SearchOutput> {
  const { grants, sessionId } = visitorOf(request)
  const { albums, refusal } = await albumsOfSession(services, request)
  if (sessionId === undefined) throw passwordNeeded()
  if (refusal) throw refusal
  async function admit(albumName: string): Promise<Album> {
    const album = await requireAlbumOfGuest(services, albumName, visitorOf(request))
    requireFaces(album)
    return album
  }
  return await withSelfie(services, request, reply, {
    fields: searchFields,
    form: {
      most: { photo: SEARCH_MAX_SELFIES, otherPhoto: SEARCH_MAX_SELFIES },
      longestField: SEARCH_TOKEN_MAX_LENGTH,
    },
    decidedBy: 'albumName',
    isStranger: albums.length === 0,
    admit: ({ albumName }) => admit(albumName),
    check(album, selfies, fields) {
      queryOf(fields, selfies, sessionId)
      if (hasPictures(selfies)) requireTick([album], fields)
    },
    async work(album, selfies, fields) {
      const query = { ...queryOf(fields, selfies, sessionId), isOwner: isOwner(album, grants) }
      services.metrics.searches.inc({ kind: 'album' })
      const isNew = hasPictures(selfies)
      const count = (result: SearchResult) =>
        countSearch(services.db, album.id, visitorOf(request), { result, isNew })
      const search = () =>
        counting(count, async () => {
          const answer = await searchAlbum(services, album, query, originOf(services, request))
          // It may have been closed meanwhile.
          await admit(album.slug)
          return answer
        })
      // Who sends a token has agreed before.
      return await (isNew ? withConsent(services, [album], fields, search) : search())
    },
  })
}

/** Accepts a selfie to be matched, and answers it with the address of the page that shows the results. A caller without
 *  a cookie shows the owner key in the form. It may come after the photo, so strangers' photos are read, too; they have
 *  limits of their own. */
export async function submitPhoto(
  services: SelfieContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Also a stranger may add a row and a selfie.
  await services.freeDisk.require()
  const { grants } = visitorOf(request)
  const { albums, refusal } = await albumsOfSession(services, request)
  return await withSelfie(services, request, reply, {
    fields: submitFields,
    form: { most: { photo: 1 }, longestField: 500 },
    decidedBy: 'userAlbumId',
    isStranger: albums.length === 0,
    async admit({ userAlbumId }) {
      const searched = userAlbumId
        ? [{ album: await albumOfOwner(services, userAlbumId, grants), isOwner: true }]
        : albums
      const searchable = searched.filter(({ album }) => !album.faces_ended_at)
      if (searchable.length > 0) return searchable
      if (searched[0]) throw facesEnded()
      throw refusal && refusal.reason !== 'unauthorized' ? refusal : noAlbumOpened()
    },
    check(searched, { photo: [selfie] }, given) {
      if (!selfie?.length) throw noPhotoSelected()
      requireTick(albumsOf(searched), given)
    },
    async work(searched, { photo: [selfie] }, given, hungUp) {
      services.metrics.searches.inc({ kind: 'submission' })
      const submit = () => submitSelfie(services, searched, selfie!, hungUp)
      const id = await withConsent(services, albumsOf(searched), given, submit)
      const matches = id ? await matchesSoFar(services.db, id) : undefined
      for (const { album } of searched.filter(({ isOwner }) => !isOwner)) {
        const none = matches || album.faces_found === 0 ? 'nothing' : 'no_face'
        const result = matches?.get(album.id) === null ? undefined : matches?.get(album.id) ? 'found' : none
        await countSearch(services.db, album.id, visitorOf(request), { result, isNew: true })
      }
      const answer: SubmitOutput = { redirectTo: id ? `/selfie/results/${id}` : '/selfie/no-results' }
      reply.send(answer)
      // The selfie keeps its place until it is matched, and the page need not wait for that.
      if (id) await untilMatched(services, id)
    },
  })
}

/** @param reference also the key of a letter's private link, which the browser saves like the owner key
 *  @throws AppError as `requireOwnedAlbum` */
async function albumOfOwner(services: AppContext, reference: string, grants: Grant[]): Promise<Album> {
  return (
    (await findAlbumByOwnerKey(services, reference)) ??
    (await requireOwnedAlbum(services.db, reference, grants))
  )
}

const albumsOf = (searched: SearchableAlbum[]) => searched.map(({ album }) => album)

/** Works with selfies and counts the consent of their person, once for each press of a button: while the service is not
 *  available, the page sends them again without another press. */
async function withConsent<Answer>(
  { db }: AppContext,
  albums: Album[],
  given: GivenConsent,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const [answer] = await Promise.allSettled([work()])
  const isSentAgain = answer.status === 'rejected' && hasCode(answer.reason, 'SERVICE_UNAVAILABLE')
  if (!isSentAgain) await countConsent(db, albums, given)
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}

/** Searches, and counts how that ended. */
async function counting(
  count: (result: SearchResult) => Promise<void>,
  search: () => Promise<SearchOutput>,
): Promise<SearchOutput> {
  try {
    const answer = await search()
    await count(answer.totalMatches > 0 ? 'found' : 'nothing')
    return answer
  } catch (error) {
    if (hasCode(error, 'UNPROCESSABLE_CONTENT')) await count('no_face')
    throw error
  }
}

interface SelfieCall<Fields, Admitted, Answer> {
  fields: z.ZodType<Fields>
  form: Omit<FormOptions, 'arriveMs'>
  /** The field that says what the caller may do. When it comes after the photo, the photo is read first. */
  decidedBy: string
  /** The headers show no right to any album. */
  isStranger: boolean
  /** Decides what the caller may do. @throws AppError */
  admit(fields: Fields): Promise<Admitted>
  /** Refuses a form with which nothing can be found, before its pictures are decoded. @throws AppError */
  check(admitted: Admitted, selfies: Selfies, fields: Fields): void
  /** @param selfies as `decoded` gives them */
  work(admitted: Admitted, selfies: Selfies, fields: Fields, hungUp: AbortSignal): Promise<Answer>
}

/** Reads selfies and works on them, when it is the turn of the caller's network. Refuses a caller as soon as possible. */
async function withSelfie<Fields, Admitted, Answer>(
  services: SelfieContext,
  request: FastifyRequest,
  reply: FastifyReply,
  call: SelfieCall<Fields, Admitted, Answer>,
): Promise<Answer> {
  const { address, sessionId } = visitorOf(request)
  const signal = hungUp(reply)
  const who = { address, sessionId }
  const form = await beginSelfieForm(request, { ...call.form, arriveMs: services.selfieArriveMs })
  const isDecided = call.decidedBy in form.fields || form.bytes === 0
  const admitted = isDecided ? await call.admit(call.fields.parse(form.fields)) : undefined
  if (form.bytes > 0) {
    if (call.isStranger && !isDecided) await countCall(services, 'selfieOfStranger', { address })
    await requireWithin(services, 'selfie', who)
  }

  async function readAndWork(): Promise<Answer> {
    const { fields, selfies } = await form.readOn()
    const given = call.fields.parse(fields)
    const granted = admitted ?? (await call.admit(given))
    call.check(granted, selfies, given)
    // Also one that cannot be read, or whose caller hangs up.
    await countCall(services, 'selfie', who)
    const images = await decoded(services, selfies, signal)
    return await call.work(granted, images, given, signal)
  }
  if (form.bytes === 0) return await readAndWork()
  const places = Math.ceil(form.bytes / PLACE_BYTES)
  return await services.selfies.run(address, readAndWork, { signal, places })
}

/** Decodes one picture after another, so that a call with many does not keep others from the decoders.
 *  @returns the pictures as `Decoders.selfie` gives them. A field without a picture stays as it is */
async function decoded(services: SelfieContext, selfies: Selfies, signal: AbortSignal): Promise<Selfies> {
  async function decodeAll(pictures: Buffer[]): Promise<Buffer[]> {
    if (pictures.every(({ length }) => length === 0)) return pictures
    const images: Buffer[] = []
    for (const picture of pictures) images.push(await services.decoders.selfie(picture, signal))
    return images
  }
  return { photo: await decodeAll(selfies.photo), otherPhoto: await decodeAll(selfies.otherPhoto) }
}

/** Only pictures need the face engine. A search by tokens alone does not wait for anybody. */
function hasPictures(selfies: Selfies): boolean {
  return Object.values(selfies).some((pictures) => pictures.some(({ length }) => length > 0))
}

/** The albums that the session has a valid grant for, and why it has none. Needs the headers of the request only. Nothing is
 *  refused when it had grants, and all their albums are gone. */
async function albumsOfSession(
  { db }: AppContext,
  request: FastifyRequest,
): Promise<{ albums: SearchableAlbum[]; refusal?: AppError | undefined }> {
  const { grants } = visitorOf(request)
  if (grants.length === 0) return { albums: [], refusal: passwordNeeded() }
  const known = await findAlbums(
    db,
    grants.map(({ albumId }) => albumId),
  )
  const valid = known.filter((album) => hasGrant(album, grants))
  const refusals = valid.length > 0 ? [] : known.map((album) => noGrantOn(album, grants))
  return {
    albums: valid.map((album) => ({ album, isOwner: isOwner(album, grants) })),
    refusal: refusals.find(({ reason }) => reason !== 'unauthorized') ?? refusals[0],
  }
}

const noPhotoSelected = () => new AppError('BAD_REQUEST', 'Please select a photo file')
const noAlbumOpened = () => new AppError('UNAUTHORIZED', 'Please open an album first')

/** What a search form asks for.
 *  @throws AppError when it names no person */
export function queryOf(
  fields: SearchFields,
  { photo, otherPhoto }: SelfieForm['selfies'],
  sessionId: string,
): AlbumQuery {
  const { limit, offset, remember, combine, faces, confirmed, rejected } = fields
  const person = personOf({ pictures: photo, token: fields.searchToken, faces, confirmed, rejected })
  if (!person) throw noSelfieChosen()
  const other = personOf({ pictures: otherPhoto, token: fields.otherSearchToken, faces: fields.otherFaces })
  return { person, other, combine, sessionId, remember, limit, offset }
}

/** Undefined when nobody is named. */
function personOf({ pictures, token, ...person }: SearchedPerson): SearchedPerson | undefined {
  const isSent = pictures.some(({ length }) => length > 0)
  if (!isSent && !token) return undefined
  return { ...person, pictures: isSent ? pictures : [], token: token || undefined }
}

const noSelfieChosen = () => new AppError('BAD_REQUEST', 'Please choose a selfie')
