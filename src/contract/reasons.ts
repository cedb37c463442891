/** What a program can do something about, and its status does not say. Clients decide by the `reason` of an error, never by
 *  the sentence beside it. Every other error has its code in small letters. */
export const REASONS = [
  /** The album has no place for a photo: use another one. */
  'album_full',
  /** The album asks for the consent of who searches. */
  'consent_needed',
  /** The album is for children, which fixes this setting. */
  'for_children',
  /** Many guests are searching: each gets its turn, so wait and send the selfie again. */
  'many_searches',
  /** A search can no longer be repeated without its selfies. */
  'search_over',
] as const
export type Reason = (typeof REASONS)[number]
