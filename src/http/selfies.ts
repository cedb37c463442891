import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  type Grant,
  hasGrant,
  isOwner,
  passwordNeeded,
  requireAlbumOfGuest,
  requireOwnedAlbum,
} from '../albums/access.ts'
import { takeConsent } from '../albums/consent.ts'
import { countCall } from '../albums/rate-limits.ts'
import { SEARCH_MAX_SELFIES } from '../contract/limits.ts'
import { type SearchOutput, searchFields } from '../contract/search.ts'
import { type SubmitOutput, submitFields } from '../contract/submissions.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { SelfieSender } from '../photos/decoders.ts'
import { secondsUntilMatched } from '../search/match-selfie.ts'
import { findAlbums } from '../search/queries.ts'
import { searchAlbum } from '../search/search-album.ts'
import type { SelfieLine } from '../search/selfie-line.ts'
import type { SelfiePace } from '../search/selfie-pace.ts'
import { inTurn } from '../search/selfie-turns.ts'
import { type SearchableAlbum, submitSelfie } from '../search/submit-selfie.ts'
import { originOf } from './origin.ts'
import { queryOf } from './search-query.ts'
import { type MinimumRate, readSelfieForm, type SelfieForm } from './selfie-form.ts'
import type { SelfieMemory } from './selfie-memory.ts'
import type { AppServices } from './services.ts'
import { visitorOf } from './session.ts'

/** What the calls with a selfie use. */
export interface SelfieServices extends AppServices {
  selfieMemory: SelfieMemory
  /** For callers who have shown no right to an album yet. */
  strangersMemory: SelfieMemory
  selfieRate: MinimumRate
  /** The pace of the searches in this process. */
  selfiePace: SelfiePace
  selfieLine: SelfieLine
}

/** Searches one album and answers with the photos found. A guest whose album has been erased has no right any more, and
 *  is answered that it was not found. */
export async function searchInAlbum(
  services: SelfieServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SearchOutput> {
  const { grants } = visitorOf(request)
  const albums = await albumsOfSession(services, request)
  if (albums.length === 0 && !(await areErased(services, grants))) throw passwordNeeded()
  return await withSelfie(services, request, reply, {
    fields: searchFields,
    mostSelfies: { photo: SEARCH_MAX_SELFIES, otherPhoto: SEARCH_MAX_SELFIES },
    decidedBy: 'albumName',
    isStranger: albums.length === 0,
    admit: ({ albumName }) => requireAlbumOfGuest(services.db, albumName, grants),
    albumsOf: (album) => [album],
    secondsLeft: services.selfiePace.secondsLeft,
    async work(album, selfies, caller, fields) {
      const query = queryOf(fields, selfies)
      // A person with a ticket has agreed before.
      if (hasPictures(selfies)) await takeConsent(services.db, [album], fields)
      services.metrics.searches.inc({ kind: 'album' })
      const search = () => searchAlbum(services, album, query, originOf(services, request), caller)
      return await (hasPictures(selfies) ? services.selfiePace.measure(search) : search())
    },
  })
}

/** Accepts a selfie to be matched, and answers with the address of the page that shows the results. A caller without
 *  a cookie shows the owner key in the form. It may come after the photo, so strangers' photos are read, too; they have
 *  limits of their own. */
export async function submitPhoto(
  services: SelfieServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SubmitOutput> {
  const { grants } = visitorOf(request)
  const albums = await albumsOfSession(services, request)
  return await withSelfie(services, request, reply, {
    fields: submitFields,
    mostSelfies: { photo: 1 },
    decidedBy: 'userAlbumId',
    isStranger: albums.length === 0,
    async admit({ userAlbumId }) {
      const searched = userAlbumId
        ? [{ album: await requireOwnedAlbum(services.db, userAlbumId, grants), isOwner: true }]
        : albums
      if (searched.length === 0) throw noAlbumOpened()
      return searched
    },
    albumsOf: (searched) => searched.map(({ album }) => album),
    secondsLeft: () => secondsUntilMatched(services.db),
    async work(searched, { photo: [selfie] }, caller, given) {
      if (!selfie?.length) throw noPhotoSelected()
      await takeConsent(
        services.db,
        searched.map(({ album }) => album),
        given,
      )
      services.metrics.searches.inc({ kind: 'submission' })
      const id = await submitSelfie(services, searched, selfie, caller)
      return { redirectTo: id ? `/selfie/results/${id}` : '/selfie/no-results' }
    },
  })
}

interface SelfieCall<Fields, Admitted, Answer> {
  fields: z.ZodType<Fields>
  mostSelfies: Parameters<typeof readSelfieForm>[1]['most']
  /** The field that says what the caller may do. When it comes after the photo, the photo is read first. */
  decidedBy: string
  /** The headers show no right to any album. */
  isStranger: boolean
  /** Decides what the caller may do. @throws AppError */
  admit(fields: Fields): Promise<Admitted>
  /** Those that the call is counted for. */
  albumsOf(admitted: Admitted): Album[]
  /** Until the selfies that are in the service are answered. */
  secondsLeft(): number | Promise<number>
  work(
    admitted: Admitted,
    selfies: SelfieForm['selfies'],
    caller: SelfieSender,
    fields: Fields,
  ): Promise<Answer>
}

/** Reads selfies while there is memory for them, and works on them when the caller has no others in work. Refuses a
 *  caller as soon as possible. A call that is sent away before its selfie is read does not count against the limits: it
 *  comes again. */
async function withSelfie<Fields, Admitted, Answer>(
  services: SelfieServices,
  request: FastifyRequest,
  reply: FastifyReply,
  call: SelfieCall<Fields, Admitted, Answer>,
): Promise<Answer> {
  const { address, sessionId } = visitorOf(request)
  const callerId = sessionId ?? address
  const hungUp = closingOf(reply)
  let admitted: Admitted | undefined
  let giveMemoryBack = () => {}
  const count = (granted: Admitted) => {
    const albumIds = call.albumsOf(granted).map(({ id }) => id)
    return countCall(services, 'selfie', { sessionId, address, albumIds })
  }
  try {
    const form = { rate: services.selfieRate, most: call.mostSelfies }
    const { fields, selfies } = await readSelfieForm(request, form, async (known, bytes) => {
      if (call.decidedBy in known) admitted = await call.admit(call.fields.parse(known))
      const isStranger = call.isStranger && admitted === undefined
      if (isStranger) await countCall(services, 'selfieOfStranger', { address })
      else await services.selfieLine.enter(callerId, await call.secondsLeft())
      if (admitted !== undefined) await count(admitted)
      const memory = isStranger ? services.strangersMemory : services.selfieMemory
      giveMemoryBack = await memory.reserve({ address, sessionId }, bytes, hungUp)
    })
    const given = call.fields.parse(fields)
    const granted = admitted ?? (await call.admit(given))
    if (admitted === undefined) await count(granted)
    const work = () => call.work(granted, selfies, { address, signal: hungUp }, given)
    if (!hasPictures(selfies)) return await work()
    return await inTurn(services, callerId, hungUp, async () => {
      await services.selfieLine.enter(callerId, await call.secondsLeft(), { isSent: true })
      return await work()
    })
  } finally {
    giveMemoryBack()
  }
}

/** Only pictures need the face engine. A search by tickets alone does not wait for anybody. */
function hasPictures(selfies: SelfieForm['selfies']): boolean {
  return Object.values(selfies).some((pictures) => pictures.some(({ length }) => length > 0))
}

/** Aborts when the connection of an answer closes. Fastify's `request.signal` cannot be used for that: it aborts when
 *  the form has been read. */
function closingOf(reply: FastifyReply): AbortSignal {
  const closing = new AbortController()
  reply.raw.once('close', () => closing.abort(callerHungUp()))
  return closing.signal
}

/** The albums that the session has a valid grant for. Needs the headers of the request only. */
async function albumsOfSession(services: AppServices, request: FastifyRequest): Promise<SearchableAlbum[]> {
  const { grants } = visitorOf(request)
  if (grants.length === 0) return []
  const known = await findAlbums(
    services.db,
    grants.map((grant) => grant.albumId),
  )
  return known
    .filter((album) => hasGrant(album, grants))
    .map((album) => ({ album, isOwner: isOwner(album, grants) }))
}

/** Whether the session had grants, and all their albums are gone. */
async function areErased({ db }: AppServices, grants: Grant[]): Promise<boolean> {
  if (grants.length === 0) return false
  const ids = grants.map((grant) => grant.albumId)
  return (await findAlbums(db, ids)).length === 0
}

/** Nobody reads it. */
const callerHungUp = () => new AppError('TIMEOUT', 'The caller has hung up')

export const noPhotoSelected = () => new AppError('BAD_REQUEST', 'Please select a photo file')
export const noAlbumOpened = () => new AppError('UNAUTHORIZED', 'Please open an album first')
