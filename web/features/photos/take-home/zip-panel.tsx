import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { zipPanel as texts } from '../../../../src/texts/english/photos.ts'
import { common } from '../../../../src/texts/english/site.ts'
import { formatBytes } from '../../../lib/format.ts'
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
export function ZipPanel({ zip: { state, download }, onRetry, onClose }: ZipPanelProps) {
  if (!state) return null
  switch (state.step) {
    case 'preparing': {
      const { ready, total } = state
      return (
        <Panel title={texts.preparing(ready, total)} closeLabel={common.cancel} onClose={onClose}>
          <ProgressBar label={texts.prepared} done={ready / total} />
        </Panel>
      )
    }
    case 'failed':
      return (
        <Panel
          title={texts.failed}
          actions={<Button onClick={onRetry}>{common.tryAgain}</Button>}
          closeLabel={common.close}
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
          title={isSingle ? texts.started : texts.parts(parts.length)}
          actions={parts.map((part, index) => (
            <PartLink
              // biome-ignore lint/suspicious/noArrayIndexKey: each call numbers its own files, and the addresses change.
              key={index}
              part={part}
              label={labelOf(index, parts.length)}
              onPress={() => download(index)}
            />
          ))}
          closeLabel={common.close}
          onClose={onClose}
        >
          {!isSingle && texts.oneByOne} {leftOut > 0 && texts.leftOut(leftOut)} {texts.interrupted}
        </Panel>
      )
    }
  }
}

const labelOf = (index: number, count: number) => (count === 1 ? texts.again : texts.part(index + 1, count))

function PartLink({
  part,
  label,
  onPress,
}: {
  part: ZipOutput['parts'][number]
  label: string
  onPress: () => void
}) {
  return (
    <a
      href={part.url}
      download={part.filename}
      onClick={(event) => {
        event.preventDefault()
        onPress()
      }}
      className={buttonLook('secondary')}
    >
      <DownloadIcon />
      {label} ({formatBytes(part.bytes)})
    </a>
  )
}
