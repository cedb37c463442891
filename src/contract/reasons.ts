/** What a program can do something about, and its status does not say. Clients decide by the `reason` of an error, never by
 *  the sentence beside it. Every other error has its code in small letters. */
export const REASONS = [
  /** The organiser has closed the album to guests. */
  'album_closed',
  /** The album has no place for a photo: use another one. */
  'album_full',
  /** Guests may come in later: the sentence says when. */
  'album_not_open',
  /** The album asks for the consent of who searches. */
  'consent_needed',
  /** The faces of the album were deleted, long after its last upload. Its photos are still there. */
  'faces_ended',
  /** Many guests are searching: each gets its turn, so wait and send the selfie again. */
  'many_searches',
  /** A search can no longer be repeated without its selfies. */
  'search_over',
] as const
export type Reason = (typeof REASONS)[number]
