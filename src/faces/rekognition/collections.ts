import { hasCode } from '../../errors.ts'

/** CollectionId: `[a-zA-Z0-9_.\-]+`, at most 255 characters. */
export function collectionOf(albumId: string): string {
  return `inframe-${albumId}`
}

/** Runs a call for which a missing collection is no error. */
export async function unlessMissing<Answer>(otherwise: Answer, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return otherwise
    throw error
  }
}
