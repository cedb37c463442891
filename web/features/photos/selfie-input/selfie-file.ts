import { SELFIE_MAX_BYTES } from '../../../../src/contract/limits.ts'
import { selfieFile as texts } from '../../../../src/texts/english/search.ts'

/** The types of a selfie (§5). HEIC is not among them, so an iPhone converts the photo to JPEG when it is chosen. */
export const SELFIE_TYPES = {
  'image/jpeg': ['.jpeg', '.jpg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
}

/** The toast for files that cannot be a selfie; undefined when they are one selfie. When there are two, only the visitor
 *  knows which one is meant. */
export function selfieProblem(files: readonly File[]): { title: string; description: string } | undefined {
  if (files.length > 1) return { title: texts.tooMany, description: texts.tooManyText }
  if (!files.every(hasSelfieType)) return { title: texts.wrongType, description: texts.wrongTypeText }
  if (files.some(({ size }) => size > SELFIE_MAX_BYTES))
    return {
      title: texts.tooLarge,
      description: texts.tooLargeText(SELFIE_MAX_BYTES / 1024 / 1024),
    }
  if (files.some(({ size }) => size === 0)) return { title: texts.tooSmall, description: texts.tooSmallText }
}

/** Some systems do not know the type of a file; then its name says it. */
export function hasSelfieType({ type, name }: File): boolean {
  return Object.entries(SELFIE_TYPES).some(
    ([known, endings]) => type === known || endings.some((ending) => name.toLowerCase().endsWith(ending)),
  )
}
