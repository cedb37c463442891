import { SELFIE_MAX_BYTES } from '../../../../src/contract/limits.ts'
import { selfieFile as texts } from '../../../../src/texts/english/search.ts'

/** The types of a selfie (§5). HEIC is not among them, so an iPhone converts the photo to JPEG when it is chosen. */
const SELFIE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
export const SELFIE_ACCEPT = [...SELFIE_TYPES, '.jpeg', '.jpg', '.png', '.gif', '.webp'].join()

/** The toast for files that cannot be a selfie; undefined when they are one selfie. When there are two, only the visitor
 *  knows which one is meant. */
export function selfieProblem(files: readonly File[]): { title: string; description: string } | undefined {
  if (files.length > 1) return { title: texts.tooMany, description: texts.tooManyText }
  const [{ type, size } = { type: '', size: 0 }] = files
  if (!SELFIE_TYPES.includes(type)) return { title: texts.wrongType, description: texts.wrongTypeText }
  if (size > SELFIE_MAX_BYTES)
    return {
      title: texts.tooLarge,
      description: texts.tooLargeText(SELFIE_MAX_BYTES / 1024 / 1024),
    }
  if (size === 0) return { title: texts.tooSmall, description: texts.tooSmallText }
}
