// Each expression is written out. A test checks that none is slow, and it cannot see one that is made from text.

/** The id of a row. */
export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

// Places in lists, with the id of a row.
/** Microseconds since 1970, and the id. */
export const TIME_AND_UUID = /^\d{1,16}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** Microseconds since 1970, or before, the id, and the name of a file. */
export const TIME_UUID_AND_FILENAME = /^-?\d{1,16}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.\P{Cc}{0,400}$/u
/** A similarity (0–100), and the id. */
export const SIMILARITY_AND_UUID = /^\d{1,3}(\.\d{1,9})?_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
