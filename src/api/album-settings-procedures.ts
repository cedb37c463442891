import { ownerKeyChanged, requireOwnedAlbum } from '../albums/access.ts'
import { countCall, RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { changeSettings, renameAlbum, settingsOf } from '../albums/settings.ts'
import { albumSettings } from '../contract/album-settings.ts'
import { changeSettingsInput, ownedAlbumInput, renameInput, renameOutput } from '../contract/albums.ts'
import { actorOf } from './actor.ts'
import { invalidExample, TOO_LONG } from './call-docs.ts'
import { procedure } from './trpc.ts'

/** The calls with which owners see and change the settings of an album. They are part of the albums router. The
 *  specification (§7) does not have them. */
export const settingsProcedures = {
  settings: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/{id}/settings',
        tags: ['owner'],
        summary: 'The settings of the album',
        description: 'GET /albums/by-name/{albumName} has them for guests, too.',
      },
      docs: { caller: 'owner', errors: [invalidExample(ownedAlbumInput, { id: TOO_LONG })] },
    })
    .input(ownedAlbumInput)
    .output(albumSettings)
    .query(async ({ ctx: { services, visitor }, input }) =>
      settingsOf(await requireOwnedAlbum(services.db, input.id, visitor.grants)),
    ),

  rename: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/name',
        tags: ['owner'],
        summary: 'Change the name that pages and letters show',
        description: "The album's address, and so its `albumName`, stays as it is.",
      },
      docs: {
        caller: 'owner',
        errors: [
          invalidExample(renameInput, { id: TOO_LONG, displayName: 'x' }),
          invalidExample(renameInput, { id: 'x', displayName: ' ' }),
          tooManyCalls(RATE_LIMITS.changeAlbum),
          ownerKeyChanged(),
        ],
      },
    })
    .input(renameInput)
    .output(renameOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { id, displayName } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      await renameAlbum(services, album, displayName, actorOf(visitor, 'owner'))
      return { displayName }
    }),

  changeSettings: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/settings',
        tags: ['owner'],
        summary: 'Change settings of the album',
        description: 'Settings that are not sent stay as they are. The answer has all settings.',
      },
      docs: {
        caller: 'owner',
        errors: [
          invalidExample(changeSettingsInput, { id: TOO_LONG }),
          invalidExample(changeSettingsInput, { id: 'x', browsing: 'maybe', consentTick: 'maybe' }),
          tooManyCalls(RATE_LIMITS.changeAlbum),
          ownerKeyChanged(),
        ],
      },
    })
    .input(changeSettingsInput)
    .output(albumSettings)
    .mutation(async ({ ctx: { services, visitor }, input: { id, ...changes } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      return await changeSettings(services, album, changes, actorOf(visitor, 'owner'))
    }),
}
