import { SELFIE_MAX_BYTES } from '../../../src/contract/limits.ts'
import { selfieFile as texts } from '../../../src/texts/english.ts'

/** The types of a selfie (§5). HEIC is not among them, so an iPhone converts the photo to JPEG when it is chosen. */
export const SELFIE_TYPES = {
  'image/jpeg': ['.jpeg', '.jpg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
}

/** The toast for a file that cannot be a selfie, by react-dropzone's codes. */
export function selfieRejection(codes: readonly string[]): { title: string; description: string } {
  if (codes.includes('too-many-files')) return { title: texts.tooMany, description: texts.tooManyText }
  if (codes.includes('file-invalid-type')) return { title: texts.wrongType, description: texts.wrongTypeText }
  if (codes.includes('file-too-large'))
    return {
      title: texts.tooLarge,
      description: texts.tooLargeText(SELFIE_MAX_BYTES / 1024 / 1024),
    }
  if (codes.includes('file-too-small')) return { title: texts.tooSmall, description: texts.tooSmallText }
  return { title: texts.invalid, description: texts.invalidText }
}
