import { formatBytes, formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import type { UploadProgress } from './engine.ts'

export function UploadProgressCard({ progress }: { progress: UploadProgress }) {
  const { photosDone, photosTotal, bytesSent, bytesTotal } = progress
  return (
    <Card aria-label="Upload progress">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="text-heading font-semibold" role="status">
          {formatNumber(photosDone)} of {formatNumber(photosTotal)} photos
        </p>
        <p className="text-sm text-ink-soft tabular-nums">
          {formatBytes(bytesSent)} of {formatBytes(bytesTotal)}
        </p>
      </div>
      <ProgressBar label="Upload" done={bytesTotal === 0 ? 0 : bytesSent / bytesTotal} />
      {photosDone < photosTotal && (
        <p className="mt-3 text-sm text-ink-soft">Keep this page open until every photo is sent.</p>
      )}
    </Card>
  )
}
