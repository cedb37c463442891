import { requireOwnedAlbum } from '../albums/access.ts'
import { changeOwnerAddress, letterAddressOf } from '../albums/owner-address.ts'
import { ownedAlbumInput } from '../contract/albums/albums.ts'
import { changeLetterAddressInput, letterAddress } from '../contract/albums/owner-address.ts'
import { actorOf } from './actor.ts'
import { procedure, rest } from './trpc.ts'

/** The calls with which owners see and change the address of an album's letters. They are part of the albums router. The
 *  specification (§7) does not have them. */
export const ownerAddressProcedures = {
  letterAddress: procedure
    .meta(rest('GET', '/albums/{id}/letter-address', "The address that the album's letters go to"))
    .input(ownedAlbumInput)
    .output(letterAddress)
    .query(async ({ ctx: { services, visitor }, input }) =>
      letterAddressOf(services, await requireOwnedAlbum(services.db, input.id, visitor.grants)),
    ),

  changeLetterAddress: procedure
    .meta(rest('POST', '/albums/{id}/letter-address', "Change the address that the album's letters go to"))
    .input(changeLetterAddressInput)
    .output(letterAddress)
    .mutation(async ({ ctx: { services, visitor }, input: { id, email } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      return await changeOwnerAddress(services, album, email, {
        ...actorOf(visitor, 'owner'),
        address: visitor.address,
      })
    }),
}
