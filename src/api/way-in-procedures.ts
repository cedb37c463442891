import { ownerGrant, requireOwnedAlbum } from '../albums/access.ts'
import { countCall } from '../albums/rate-limits.ts'
import { makeDeviceLink, sendMyAlbums, useDeviceLink } from '../albums/ways-in.ts'
import { ownedAlbumInput } from '../contract/albums/albums.ts'
import {
  deviceLinkOutput,
  sendMyAlbumsInput,
  sendMyAlbumsOutput,
  useDeviceLinkInput,
  useDeviceLinkOutput,
} from '../contract/way-in.ts'
import { summaryOf } from './album-summary.ts'
import { procedure, rest } from './trpc.ts'

/** The ways by which owners come back to an album, or bring it to another device. They are part of the albums router. The
 *  specification (§7) does not have them. */
export const wayInProcedures = {
  sendMine: procedure
    .meta(rest('POST', '/albums/letters', 'Send the ways into all albums of an address to it'))
    .input(sendMyAlbumsInput)
    .output(sendMyAlbumsOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { email } }) => {
      await services.freeDisk.require()
      const { address, sessionId } = visitor
      await sendMyAlbums(services, email, { address, sessionId })
      return { accepted: true as const }
    }),

  deviceLink: procedure
    .meta(rest('POST', '/albums/{id}/device-links', 'Make a link that lets another device manage the album'))
    .input(ownedAlbumInput)
    .output(deviceLinkOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      return makeDeviceLink(services, album)
    }),

  useDeviceLink: procedure
    .meta(rest('POST', '/device-links/use', 'Become the owner of an album on this device'))
    .input(useDeviceLinkInput)
    .output(useDeviceLinkOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { token } }) => {
      const album = await useDeviceLink(services, { token, address: visitor.address })
      visitor.addGrant(ownerGrant(album))
      return { album: summaryOf(album) }
    }),
}
