import { PREVIEW_MAX_SIDE } from '../../../../src/contract/limits.ts'
import { savePanel as texts } from '../../../../src/texts/english/photos.ts'
import { common } from '../../../../src/texts/english/site.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from './panel.tsx'
import type { Save, SaveState } from './use-save.ts'

export interface SavePanelProps {
  save: Save
  /** Downloads the photos instead. */
  onDownload: () => void
  onClose: () => void
}

/** How far the saving of photos is, and the tap that each portion needs. */
export function SavePanel({ save, onDownload, onClose }: SavePanelProps) {
  const { state, share, goOn } = save
  if (!state) return null
  const { step, saved, total, isFull, portion } = state
  const size = isFull ? texts.full : texts.smaller(PREVIEW_MAX_SIDE)
  const instead = (
    <Button look="secondary" onClick={onDownload}>
      {texts.asZip}
    </Button>
  )
  const close = { closeLabel: step === 'done' ? common.close : common.cancel, onClose }
  switch (step) {
    case 'loading':
      return (
        <Panel title={texts.getting(soFar(state))} {...close}>
          {size}
        </Panel>
      )
    case 'ready':
      return (
        <Panel
          title={soFar(state)}
          actions={<Button onClick={share}>{texts.save(portion)}</Button>}
          {...close}
        >
          {size} {texts.choose}
        </Panel>
      )
    case 'asked':
      return (
        <Panel
          title={soFar(state)}
          actions={
            <>
              <Button onClick={goOn}>{saved + portion < total ? texts.goOn : texts.areSaved}</Button>
              <Button look="secondary" onClick={share}>
                {texts.openAgain}
              </Button>
            </>
          }
          {...close}
        >
          {texts.asked(portion)}
        </Panel>
      )
    case 'paused':
      return <Panel title={soFar(state)} actions={<Button onClick={share}>{texts.goOn}</Button>} {...close} />
    case 'done':
      return (
        <Panel title={texts.saved(total)} {...close}>
          {size}
        </Panel>
      )
    case 'not-loaded':
      return (
        <Panel title={soFar(state)} actions={<Button onClick={share}>{common.tryAgain}</Button>} {...close}>
          {texts.notLoaded}
        </Panel>
      )
    case 'refused':
      return (
        <Panel title={soFar(state)} actions={instead} {...close}>
          {texts.refused}
        </Panel>
      )
  }
}

function soFar({ saved, total }: SaveState): string {
  return texts.soFar(saved, total)
}
