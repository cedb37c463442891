import type { ResultPhoto } from '../../../src/contract/submissions.ts'

/** Calls back when the service refuses the addresses of photos: they have ended, or the album has a new password. An image
 *  or a download that fails does not say why. Thumbnails are asked for, because every photo has one.
 *  @param photo any of the photos whose addresses came with the same answer */
export async function whenRefused(
  photo: Pick<ResultPhoto, 'thumbUrl'> | undefined,
  then: () => void,
): Promise<void> {
  if (photo && (await isRefused(photo.thumbUrl))) then()
}

const underWay = new Map<string, Promise<boolean>>()

/** Many photos can fail at the same moment: they share an answer. */
function isRefused(address: string): Promise<boolean> {
  const asked = underWay.get(address) ?? ask(address).finally(() => underWay.delete(address))
  underWay.set(address, asked)
  return asked
}

async function ask(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { method: 'HEAD', cache: 'no-store' })).status === 403
  } catch {
    // Without a network, nothing is known.
    return false
  }
}
