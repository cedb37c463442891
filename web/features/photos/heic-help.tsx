import { Notice } from '../../ui/notice.tsx'

export function HeicHelp() {
  return (
    <Notice tone="error" className="mt-3" title="This photo is a HEIC file, the iPhone's own format">
      <p>
        An iPhone can send it as JPEG: open this page on the iPhone and choose the photo from the Photo
        Library.
      </p>
      <p className="mt-1">For new photos as JPEG: Settings › Camera › Formats › Most Compatible.</p>
    </Notice>
  )
}
