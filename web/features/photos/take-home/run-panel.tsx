import type { ReactNode } from 'react'
import { savePanel, takeHome, zipPanel } from '../../../../src/texts/english/photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { formatBytes } from '../../../lib/format.ts'
import { DownloadIcon } from '../../../ui/action-icons.tsx'
import { Button } from '../../../ui/button.tsx'
import { buttonLook, type Look } from '../../../ui/button-look.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import type { SaveState } from './save.ts'
import type { ZipState } from './use-zip.ts'

export interface RunPanelProps {
  state: SaveState | ZipState
  /** Downloads the photos as a zip: again, or in place of what the share sheet refuses. */
  onZip: () => void
  onClose: () => void
}

interface Shown {
  title?: string
  children?: ReactNode
  /** What can be done, the most likely first. */
  actions?: ReactNode
  isDone?: boolean
}

/** What is happening to the photos that a visitor takes home. A screen reader reads each change. */
export function RunPanel({ state, onZip, onClose }: RunPanelProps) {
  const { title, children, actions, isDone } = 'saved' in state ? saving(state, onZip) : zipping(state, onZip)
  return (
    <section aria-label={takeHome.label} className="mb-5 rounded-lg bg-sunken p-4">
      <div role="status">
        <p className="font-semibold tabular-nums">{title}</p>
        {children && <div className="mt-1 text-ink-soft">{children}</div>}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {actions}
        <Button look="quiet" onClick={onClose}>
          {isDone ? common.close : common.cancel}
        </Button>
      </div>
    </section>
  )
}

const button = (label: string, onClick: () => void, look: Look = 'primary') => (
  <Button key={label} look={look} onClick={onClick}>
    {label}
  </Button>
)

/** How far the saving of photos is, and the tap that each portion needs. */
function saving({ step, saved, total, portion, share, goOn }: SaveState, onZip: () => void): Shown {
  const texts = savePanel
  const soFar = texts.soFar(saved, total)
  const done = button(saved + portion < total ? texts.goOn : texts.areSaved, goOn)
  const again = button(texts.openAgain, share, 'secondary')
  const steps: Record<SaveState['step'], Shown> = {
    loading: { title: texts.getting(soFar) },
    ready: { children: texts.choose, actions: button(texts.save(portion), share) },
    asked: { children: texts.asked(portion), actions: [done, again] },
    paused: { actions: button(texts.goOn, share) },
    done: { title: texts.saved(total), isDone: true },
    'not-loaded': { children: texts.notLoaded, actions: button(common.tryAgain, share) },
    refused: { children: texts.refused, actions: button(texts.asZip, onZip, 'secondary') },
  }
  return { title: soFar, ...steps[step] }
}

/** How far a zip is, and then its parts. */
function zipping(state: ZipState, onZip: () => void): Shown {
  const texts = zipPanel
  if (state.step === 'preparing') {
    const { ready, total } = state
    const bar = <ProgressBar label={texts.prepared} done={ready / total} />
    return { title: texts.preparing(ready, total), children: bar }
  }
  if (state.step === 'failed') {
    const actions = button(common.tryAgain, onZip)
    return { title: texts.failed, children: state.message, actions, isDone: true }
  }
  const { parts, photosLeftOut } = state
  const { length: count } = parts
  const links = parts.map(({ url, filename, bytes, download }, place) => (
    <a
      // biome-ignore lint/suspicious/noArrayIndexKey: each call numbers its own files.
      key={place}
      href={url}
      download={filename}
      onClick={(event) => {
        event.preventDefault()
        download()
      }}
      className={buttonLook('secondary')}
    >
      <DownloadIcon />
      {count === 1 ? texts.again : texts.part(place + 1, count)} ({formatBytes(bytes)})
    </a>
  ))
  const leftOut = photosLeftOut > 0 && texts.leftOut(photosLeftOut)
  const notes = [count > 1 && texts.oneByOne, leftOut, texts.interrupted]
  return {
    title: count === 1 ? texts.started : texts.parts(count),
    children: notes.filter(Boolean).join(' '),
    actions: links,
    isDone: true,
  }
}
