/** Whether a copy that is drawn on a canvas has the colour of its original. Some browsers fill copies with noise, so that
 *  pages cannot recognise the device by them (`privacy.resistFingerprinting` in Firefox). */
export async function canvasCopiesExactly(): Promise<boolean> {
  const colour = [200, 40, 90]
  const canvas = new OffscreenCanvas(16, 16)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return false
  context.fillStyle = `rgb(${colour.join(' ')})`
  context.fillRect(0, 0, 16, 16)
  const copy = await createImageBitmap(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 }))
  context.drawImage(copy, 0, 0)
  const { data } = context.getImageData(0, 0, 16, 16)
  return data.every((value, index) => Math.abs(value - (colour[index % 4] ?? 255)) < 16)
}
