import type { ReactNode } from 'react'
import { PREVIEW_MAX_SIDE } from '../../../../src/contract/limits.ts'
import { savePanel, takeHome, zipPanel } from '../../../../src/texts/english/photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { formatBytes } from '../../../lib/format.ts'
import { DownloadIcon } from '../../../ui/action-icons.tsx'
import { Button } from '../../../ui/button.tsx'
import { buttonLook, type Look } from '../../../ui/button-look.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import type { Save, SaveState } from './use-save.ts'
import type { Zip, ZipState } from './use-zip.ts'

interface PanelProps {
  title: string
  children?: ReactNode
  /** What can be done, the most likely first. */
  actions?: ReactNode
  isDone: boolean
  onClose: () => void
}

/** What is happening to the photos that a visitor takes home. A screen reader reads each change. */
function Panel({ title, children, actions, isDone, onClose }: PanelProps) {
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

export interface SavePanelProps extends SaveState {
  save: Save
  /** Downloads the photos instead. */
  onDownload: () => void
  onClose: () => void
}

/** How far the saving of photos is, and the tap that each portion needs. */
export function SavePanel({ save, onDownload, onClose, ...state }: SavePanelProps) {
  const texts = savePanel
  const { share, goOn } = save
  const { step, saved, total, isFull, portion } = state
  const soFar = texts.soFar(saved, total)
  const size = isFull ? texts.full : texts.smaller(PREVIEW_MAX_SIDE)
  const button = (label: string, onClick: () => void, look: Look = 'primary') => (
    <Button key={label} look={look} onClick={onClick}>
      {label}
    </Button>
  )
  const ready = { children: `${size} ${texts.choose}`, actions: button(texts.save(portion), share) }
  const panels: Record<SaveState['step'], Partial<PanelProps>> = {
    loading: { title: texts.getting(soFar), children: size },
    ready,
    closed: ready,
    asked: {
      children: texts.asked(portion),
      actions: [
        button(saved + portion < total ? texts.goOn : texts.areSaved, goOn),
        button(texts.openAgain, share, 'secondary'),
      ],
    },
    paused: { actions: button(texts.goOn, share) },
    done: { title: texts.saved(total), children: size },
    'not-loaded': { children: texts.notLoaded, actions: button(common.tryAgain, share) },
    refused: { children: texts.refused, actions: button(texts.asZip, onDownload, 'secondary') },
  }
  return <Panel title={soFar} {...panels[step]} isDone={step === 'done'} onClose={onClose} />
}

export interface ZipPanelProps {
  state: ZipState
  zip: Zip
  onRetry: () => void
  onClose: () => void
}

/** How far a zip is, and then its parts. */
export function ZipPanel({ state, zip, onRetry, onClose }: ZipPanelProps) {
  const texts = zipPanel
  if (state.step === 'preparing')
    return (
      <Panel title={texts.preparing(state.ready, state.total)} isDone={false} onClose={onClose}>
        <ProgressBar label={texts.prepared} done={state.ready / state.total} />
      </Panel>
    )
  if (state.step === 'failed') {
    const again = <Button onClick={onRetry}>{common.tryAgain}</Button>
    return (
      <Panel title={texts.failed} actions={again} isDone onClose={onClose}>
        {state.message}
      </Panel>
    )
  }
  const { zips } = state
  const parts = zips.flatMap((zip, call) => zip.parts.map((part, place) => ({ ...part, call, place })))
  const leftOut = zips.reduce((sum, zip) => sum + zip.photosLeftOut, 0)
  const count = parts.length
  const links = parts.map(({ url, filename, bytes, call, place }, index) => (
    <a
      // biome-ignore lint/suspicious/noArrayIndexKey: each call numbers its own files, and the addresses change.
      key={index}
      href={url}
      download={filename}
      onClick={(event) => {
        event.preventDefault()
        zip.download(zips, call, place)
      }}
      className={buttonLook('secondary')}
    >
      <DownloadIcon />
      {count === 1 ? texts.again : texts.part(index + 1, count)} ({formatBytes(bytes)})
    </a>
  ))
  return (
    <Panel title={count === 1 ? texts.started : texts.parts(count)} actions={links} isDone onClose={onClose}>
      {count > 1 && texts.oneByOne} {leftOut > 0 && texts.leftOut(leftOut)} {texts.interrupted}
    </Panel>
  )
}
