import { SELFIE_MAX_BYTES } from '../../../src/contract/limits.ts'

/** The types of a selfie (§5). HEIC is not among them, so an iPhone converts the photo to JPEG when it is chosen. */
export const SELFIE_TYPES = {
  'image/jpeg': ['.jpeg', '.jpg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
}

/** The toast for a file that cannot be a selfie, by react-dropzone's codes. */
export function selfieRejection(codes: readonly string[]): { title: string; description: string } {
  if (codes.includes('too-many-files'))
    return { title: 'Too many files', description: 'Please choose one photo' }
  if (codes.includes('file-invalid-type'))
    return { title: 'Invalid file type', description: 'Please upload an image file (JPG, PNG, etc.)' }
  if (codes.includes('file-too-large'))
    return {
      title: 'File too large',
      description: `Please upload an image smaller than ${SELFIE_MAX_BYTES / 1024 / 1024}MB`,
    }
  if (codes.includes('file-too-small'))
    return { title: 'File too small', description: 'This file is empty. Please choose another photo' }
  return { title: 'Invalid file', description: 'Please choose another photo' }
}
