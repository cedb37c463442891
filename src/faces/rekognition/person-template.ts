import { uuidOf } from '../../database/uuid.ts'

const ID_BYTES = 16

/** What a person can be searched by again, in bytes: the ids of faces. */
export function packTemplate(faceIds: readonly string[]): Buffer {
  return Buffer.from(faceIds.join('').replaceAll('-', ''), 'hex')
}

/** @param template as packTemplate gave it */
export function unpackTemplate(template: Buffer): string[] {
  return Array.from({ length: template.length / ID_BYTES }, (_, index) => uuidOf(template, index * ID_BYTES))
}
