/** Whether this browser's share sheet takes photos. */
export function canSharePhotos(): boolean {
  const sample = new File([''], 'photo.jpg', { type: 'image/jpeg' })
  return navigator.canShare?.({ files: [sample] }) ?? false
}
