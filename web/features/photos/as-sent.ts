/** A selfie as it is sent, which is smaller than the picture of a camera; the file itself where the browser cannot make it
 *  smaller. Nobody waits for the code for that before. */
export async function sentSelfie(selfie: File): Promise<File> {
  const shrinking = import('./selfie-input/sent-selfie.ts')
  return await shrinking.then((part) => part.sentSelfie(selfie)).catch(() => selfie)
}
