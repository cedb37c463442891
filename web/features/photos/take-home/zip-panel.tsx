import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { countOf, formatBytes, formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { DownloadIcon } from '../../../ui/more-icons.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Panel } from './panel.tsx'
import type { Zip } from './use-zip.ts'

export interface ZipPanelProps {
  zip: Zip
  onRetry: () => void
  onClose: () => void
}

/** How far a zip is, and then its parts. */
export function ZipPanel({ zip: { state }, onRetry, onClose }: ZipPanelProps) {
  if (!state) return null
  switch (state.step) {
    case 'preparing': {
      const { ready, total } = state
      return (
        <Panel
          title={`Preparing ${formatNumber(ready)} of ${countOf(total, 'photo')}`}
          closeLabel="Cancel"
          onClose={onClose}
        >
          <ProgressBar label="Photos prepared" done={ready / total} />
        </Panel>
      )
    }
    case 'failed':
      return (
        <Panel
          title="The download could not be prepared"
          actions={<Button onClick={onRetry}>Try again</Button>}
          closeLabel="Close"
          onClose={onClose}
        >
          {state.message}
        </Panel>
      )
    case 'ready': {
      const { parts, leftOut } = state
      const isSingle = parts.length === 1
      return (
        <Panel
          title={isSingle ? 'Your download has started' : `Your photos are in ${parts.length} files`}
          actions={parts.map((part, index) => (
            <PartLink key={part.url} part={part} label={labelOf(index, parts.length)} />
          ))}
          closeLabel="Close"
          onClose={onClose}
        >
          {!isSingle && 'Download one after the other. '}
          {leftOut > 0 && `${countOf(leftOut, 'photo')} could not be included. `}
          An interrupted download continues where it stopped, for six hours.
        </Panel>
      )
    }
  }
}

const labelOf = (index: number, count: number) =>
  count === 1 ? 'Download again' : `Download ${index + 1} of ${count}`

function PartLink({ part, label }: { part: ZipOutput['parts'][number]; label: string }) {
  return (
    <a
      href={part.url}
      download={part.filename}
      onClick={trackPhotoDownloaded}
      className={buttonLook('secondary')}
    >
      <DownloadIcon />
      {label} ({formatBytes(part.bytes)})
    </a>
  )
}
