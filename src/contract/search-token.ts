import { z } from 'zod'
import { SEARCH_TOKEN_MAX_LENGTH } from './limits.ts'

/** The token of a search, where a call needs one. */
export const searchTokenInput = z
  .string('searchToken is missing')
  .max(SEARCH_TOKEN_MAX_LENGTH, 'searchToken is too long')
