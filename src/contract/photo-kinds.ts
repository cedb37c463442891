/** What an album's photos are to its owner. Each is of one kind. */
export const PHOTO_KINDS = ['searchable', 'nobody', 'unclear', 'hidden', 'given_up', 'waiting'] as const
export type PhotoKind = (typeof PHOTO_KINDS)[number]
