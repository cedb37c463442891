import { ownerKeyChanged, requireOwnedAlbum } from '../albums/access.ts'
import { changeOwnerAddress, letterAddressOf } from '../albums/owner-address.ts'
import { RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { ownedAlbumInput } from '../contract/albums.ts'
import { ADDRESS_CONFIRM_HOURS } from '../contract/limits.ts'
import { changeLetterAddressInput, letterAddress } from '../contract/owner-address.ts'
import { actorOf } from './actor.ts'
import { invalidExample, TOO_LONG } from './call-docs.ts'
import { procedure } from './trpc.ts'

/** The calls with which owners see and change the address of an album's letters. They are part of the albums router. The
 *  specification (§7) does not have them. */
export const ownerAddressProcedures = {
  letterAddress: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/{id}/letter-address',
        tags: ['owner'],
        summary: "The address that the album's letters go to",
        description: 'Addresses are shortened.',
      },
      docs: { caller: 'owner', errors: [invalidExample(ownedAlbumInput, { id: TOO_LONG })] },
    })
    .input(ownedAlbumInput)
    .output(letterAddress)
    .query(async ({ ctx: { services, visitor }, input }) =>
      letterAddressOf(services, await requireOwnedAlbum(services.db, input.id, visitor.grants)),
    ),

  changeLetterAddress: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/letter-address',
        tags: ['owner'],
        summary: "Change the address that the album's letters go to",
        description: `It changes at once while the album has sent no letter; \`waiting\` is then null. Later a letter asks the new address to confirm it within ${ADDRESS_CONFIRM_HOURS} hours. Until then letters go to the present address. When the new address is confirmed, the present one gets a notice, if it had been confirmed. The notice does not name the new address. A later change replaces a change that waits. A new owner key ends it.`,
      },
      docs: {
        caller: 'owner',
        errors: [
          invalidExample(changeLetterAddressInput, { id: TOO_LONG, email: 'a@example.com' }),
          invalidExample(changeLetterAddressInput, { id: 'x', email: 'organiser' }),
          tooManyCalls(RATE_LIMITS.newAddress),
          ownerKeyChanged(),
        ],
      },
    })
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
