import { requireAlbumOfGuest, requireOwnedAlbum } from '../albums/access.ts'
import { requireFaces } from '../albums/end-faces.ts'
import { countCall } from '../albums/rate-limits.ts'
import { ownedAlbumInput } from '../contract/albums/albums.ts'
import {
  answerOptOutsInput,
  optOutInput,
  optOutOutput,
  optOutsOutput,
  receiptInput,
  receiptOutput,
} from '../contract/opt-outs.ts'
import { optOut } from '../opt-outs/opt-out.ts'
import { answerOptOuts, listOptOuts } from '../opt-outs/owner-answers.ts'
import { readReceipt, undoOptOut } from '../opt-outs/undo-or-erase.ts'
import { facesToOptOut } from '../search/find-person.ts'
import { actorOf } from './actor.ts'
import { procedure, rest, router } from './trpc.ts'

/** Parts of the albums router. The specification (§7) does not have them. */
export const optOutProcedures = {
  optOut: procedure
    .meta(rest('POST', '/albums/{albumName}/opt-out', 'Opt a guest out of the search of an album'))
    .input(optOutInput)
    .output(optOutOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const { albumName, searchToken: token, except = [], hidePhotos = false, keepOut = false } = input
      const album = await requireAlbumOfGuest(services, albumName, visitor, { alsoClosed: true })
      requireFaces(album)
      const { address, sessionId } = visitor
      // It is counted by the session, so that others behind this address need not wait for it.
      await countCall(services, 'optOut', { address, sessionId })
      const faceIds = await facesToOptOut(services, { album, sessionId: sessionId ?? '' }, { token, except })
      const by = { ...actorOf(visitor, 'guest'), address }
      return await optOut(services, album, { faceIds, hidePhotos, keepOut }, by)
    }),

  optOuts: procedure
    .meta(rest('GET', '/albums/{id}/opt-outs', 'The opt-outs of an album, in numbers'))
    .input(ownedAlbumInput)
    .output(optOutsOutput)
    .query(async ({ ctx: { services, visitor, origin }, input: { id } }) =>
      listOptOuts(services, await requireOwnedAlbum(services.db, id, visitor.grants), origin),
    ),

  answerOptOuts: procedure
    .meta(rest('POST', '/albums/{id}/opt-outs', 'Revoke opt-outs, or answer who asks to hide photos'))
    .input(answerOptOutsInput)
    .output(optOutsOutput)
    .mutation(async ({ ctx: { services, visitor, origin }, input: { id, ...answer } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      return await answerOptOuts(services, album, answer, actorOf(visitor, 'owner'), origin)
    }),
}

/** What is done with the receipt of an opt-out, which is all that is needed. Both are mutations, so that it is in no address. */
export const optOutsRouter = router({
  read: procedure
    .meta(rest('POST', '/opt-outs/read', 'Read what has become of an opt-out'))
    .input(receiptInput)
    .output(receiptOutput)
    .mutation(({ ctx: { services, visitor }, input: { receipt } }) =>
      readReceipt(services, { receipt, address: visitor.address }),
    ),

  undo: procedure
    .meta(rest('POST', '/opt-outs/undo', 'Undo an opt-out'))
    .input(receiptInput)
    .output(receiptOutput)
    .mutation(({ ctx: { services, visitor }, input: { receipt } }) =>
      undoOptOut(services, { receipt, address: visitor.address }),
    ),
})
