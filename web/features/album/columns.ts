/** Photos in a row of an album's grids on a phone. */
export const COLUMNS_ON_PHONES = 2
