import { z } from 'zod'
import { albumSettings } from './album-settings.ts'
import { albumByNameOutput, albumNameInput, authStatusOutput, progressOutput } from './albums.ts'

/** Calls that only the web app makes. They have no REST path. */

export const visitInput = albumNameInput.extend({
  /** The owner sees what a guest sees. It changes nothing for others. */
  as: z.literal('guest').optional(),
})
/** Everything that the album page needs, in one answer. */
export const visitOutput = authStatusOutput.extend({
  /** Null without a grant on the album, like `progress`. */
  album: albumByNameOutput.shape.album.nullable(),
  progress: progressOutput.nullable(),
  /** Null: Inframe's own. */
  accent: albumSettings.shape.accent.nullable(),
})
export type AlbumVisit = z.infer<typeof visitOutput>

export const browserKeyOutput = z.object({
  ownerKey: z.string(),
  /** The owner's address, which the browser saves with the key. */
  email: z.string(),
})

export const enterAsOwnerInput = z.object({
  ownerKey: z.string().max(500, 'The owner key is too long'),
})
/** With what the visit shows, so that the page needs no second call. */
export const enterAsOwnerOutput = z.object({
  album: albumByNameOutput.shape.album,
  progress: progressOutput,
  /** The owner's address, which the browser saves with the key. */
  email: z.string(),
})
