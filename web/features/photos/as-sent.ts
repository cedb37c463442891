/** A selfie as it is sent, which is smaller than the picture of a camera. Nobody waits for the code for that before. */
export async function sentSelfie(selfie: File): Promise<File> {
  const shrinking = await import('./selfie-input/sent-selfie.ts').catch(() => undefined)
  return (await shrinking?.sentSelfie(selfie)) ?? selfie
}
