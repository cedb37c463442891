import { requireOwnedAlbum } from '../albums/access.ts'
import { countCall } from '../albums/rate-limits.ts'
import { changeSettings, renameAlbum } from '../albums/settings.ts'
import { albumSettings } from '../contract/albums/album-settings.ts'
import { changeSettingsInput, ownedAlbumInput, renameInput, renameOutput } from '../contract/albums/albums.ts'
import { actorOf } from './actor.ts'
import { procedure, rest } from './trpc.ts'

/** The calls with which owners see and change the settings of an album. They are part of the albums router. The
 *  specification (§7) does not have them. */
export const settingsProcedures = {
  settings: procedure
    .meta(rest('GET', '/albums/{id}/settings', 'The settings of the album'))
    .input(ownedAlbumInput)
    .output(albumSettings)
    .query(async ({ ctx: { services, visitor }, input }) => {
      const { settings } = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      return settings
    }),

  rename: procedure
    .meta(rest('POST', '/albums/{id}/name', 'Change the name that pages and letters show'))
    .input(renameInput)
    .output(renameOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { id, displayName } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      await renameAlbum(services, album, displayName, actorOf(visitor, 'owner'))
      return { displayName }
    }),

  changeSettings: procedure
    .meta(rest('POST', '/albums/{id}/settings', 'Change settings of the album'))
    .input(changeSettingsInput)
    .output(albumSettings)
    .mutation(async ({ ctx: { services, visitor }, input: { id, ...changes } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      return await changeSettings(services, album, changes, actorOf(visitor, 'owner'))
    }),
}
