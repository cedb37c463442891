import { z } from 'zod'

export const searchFields = z.object({ albumName: z.string('albumName is missing').min(1).max(500) })

export const matchedPhoto = z.object({
  /** Full size, upright, without metadata; opens in the browser. All three expire after an hour. */
  url: z.string(),
  thumbUrl: z.string(),
  /** Answers with an attachment of this filename. */
  downloadUrl: z.string(),
  filename: z.string(),
  /** 0–100, of the photo's best matching face. */
  similarity: z.number(),
})
export type MatchedPhoto = z.infer<typeof matchedPhoto>

export const searchOutput = z.object({
  /** The addresses alone, best match first (§3). */
  matchedPhotos: z.array(z.string()),
  photos: z.array(matchedPhoto),
})
export type SearchOutput = z.infer<typeof searchOutput>
