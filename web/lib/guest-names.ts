/** What the browser keeps for a guest of an album has a name that begins like this, and ends with the album's name. */
export const REMEMBERED = 'remembered '
export const KEPT_ALERT = 'letters '
/** Of one tab. */
export const KEPT_SEARCH = 'search '
