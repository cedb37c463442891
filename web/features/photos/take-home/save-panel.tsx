import { countOf, formatNumber } from '../../../lib/format.ts'
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
  const { step, saved, total, portion } = state
  const instead = (
    <Button look="secondary" onClick={onDownload}>
      Download as a zip instead
    </Button>
  )
  const close = { closeLabel: step === 'done' ? ('Close' as const) : ('Cancel' as const), onClose }
  switch (step) {
    case 'loading':
      return <Panel title={`${soFar(state)} Getting the next photos...`} {...close} />
    case 'ready':
      return (
        <Panel
          title={soFar(state)}
          actions={<Button onClick={share}>Save {countOf(portion, 'photo')}</Button>}
          {...close}
        >
          Your phone takes a few photos at a time. In the next sheet, choose “Save” or an app.
        </Panel>
      )
    case 'asked':
      return (
        <Panel
          title={soFar(state)}
          actions={
            <>
              <Button onClick={goOn}>{saved + portion < total ? 'Continue' : 'They are saved'}</Button>
              <Button look="secondary" onClick={share}>
                Open the sheet again
              </Button>
            </>
          }
          {...close}
        >
          Your phone now has {countOf(portion, 'photo')}. If nothing happens when they are saved, continue
          here.
        </Panel>
      )
    case 'paused':
      return <Panel title={soFar(state)} actions={<Button onClick={share}>Continue</Button>} {...close} />
    case 'done':
      return <Panel title={`${countOf(total, 'photo')} saved.`} {...close} />
    case 'not-loaded':
      return (
        <Panel title={soFar(state)} actions={<Button onClick={share}>Try again</Button>} {...close}>
          The next photos could not be loaded. Please check your internet connection.
        </Panel>
      )
    case 'refused':
      return (
        <Panel title={soFar(state)} actions={instead} {...close}>
          This browser could not hand over the photos.
        </Panel>
      )
  }
}

function soFar({ saved, total }: SaveState): string {
  return `${formatNumber(saved)} of ${formatNumber(total)} saved.`
}
