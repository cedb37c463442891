import { requireAlbumOfGuest } from '../albums/access.ts'
import { countCall, RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { alreadyTakenOut, takeOut } from '../albums/take-out.ts'
import { takeOutInput, takeOutOutput } from '../contract/take-out.ts'
import { facesExpired, facesFound, invalidFaces } from '../search/found-faces.ts'
import { actorOf } from './actor.ts'
import { invalidExample } from './call-docs.ts'
import { procedure } from './trpc.ts'

/** A part of the albums router. The specification (§7) does not have it. */
export const takeOutProcedure = {
  takeOut: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{albumName}/take-out',
        tags: ['albums'],
        summary: 'Take a guest out of the search of an album',
        description:
          'The faces that a search has surely found are removed from the search at once, and stay out when their photos are indexed again. The photos stay in the album. The answer is the receipt. The owner gets a letter that says how many faces were removed, and not whose.',
      },
      docs: {
        caller: 'guest',
        errors: [
          invalidExample(takeOutInput, { albumName: 'x' }),
          invalidFaces(),
          facesExpired(),
          alreadyTakenOut(),
          tooManyCalls(RATE_LIMITS.takeOut),
        ],
      },
    })
    .input(takeOutInput)
    .output(takeOutOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const { albumName, faces, except = [], hidePhotos = false, keepOut = false } = input
      const album = await requireAlbumOfGuest(services.db, albumName, visitor.grants)
      const { address, sessionId } = visitor
      await countCall(services, 'takeOut', { address, sessionId })
      const others = new Set(except)
      const faceIds = facesFound(services.keyring, album, faces).filter((id) => !others.has(id))
      return await takeOut(services, album, { faceIds, hidePhotos, keepOut }, actorOf(visitor, 'guest'))
    }),
}
