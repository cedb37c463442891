import { type ReactNode, useState } from 'react'
import { PREVIEW_MAX_SIDE } from '../../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { takeHome as texts } from '../../../../src/texts/english/photos.ts'
import { common } from '../../../../src/texts/english/site.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DownloadIcon, PhotosIcon, ShareIcon } from '../../../ui/more-icons.tsx'
import { canSharePhotos } from './portions.ts'
import { SavePanel } from './save-panel.tsx'
import { type LoadedPhotos, useAllPhotos } from './use-all-photos.ts'
import type { Chosen } from './use-chosen.ts'
import { useSave } from './use-save.ts'
import { useZip } from './use-zip.ts'
import { ZipPanel } from './zip-panel.tsx'

export interface TakeHomeProps extends LoadedPhotos {
  chosen: Chosen
  /** Whether all photos can be taken at once. Otherwise only those that the visitor has chosen. */
  offersAll?: boolean
  /** The submission that has found the photos. */
  submissionId?: string
  /** Photos could not be downloaded: their addresses may have ended. */
  onFail?: (() => void) | undefined
  /** Deletes the chosen photos. Missing for who may not. */
  onDelete?: ((photos: readonly ResultPhoto[]) => void) | undefined
}

/** How visitors take photos home: all of them, or those that they choose. Phones save them to their Photos through the
 *  share sheet, and every browser downloads them as a zip. */
export function TakeHome(props: TakeHomeProps) {
  const { chosen, offersAll = true, submissionId, onFail, onDelete, ...loaded } = props
  const { photos, total } = loaded
  const { isLoadingAll, withAll } = useAllPhotos(loaded)
  const save = useSave(onFail)
  const zip = useZip(photos, submissionId, onFail)
  const [isFull, setFull] = useState(false)
  const isPhone = window.matchMedia('(pointer: coarse)').matches
  const canShare = canSharePhotos()

  function startSave(some: readonly ResultPhoto[]): void {
    zip.stop()
    save.start(some, isFull)
  }
  function startZip(some: readonly ResultPhoto[]): void {
    save.stop()
    zip.start(some, isPhone)
  }
  function stop(): void {
    save.stop()
    zip.stop()
  }

  const some = photos.filter(chosen.has)
  /** Downloads what the visitor wanted to save or to download. */
  const again = () => (chosen.isChoosing ? startZip(some) : withAll(startZip))
  return (
    <>
      {chosen.isChoosing ? (
        <Bar>
          <p role="status" className="grow font-semibold tabular-nums">
            {texts.selected(chosen.count)}
          </p>
          {offersAll && (
            <Button look="quiet" className="px-3!" busy={isLoadingAll} onClick={() => withAll(chosen.choose)}>
              {texts.all}
            </Button>
          )}
          <Button look="quiet" className="px-3!" onClick={() => chosen.choose([])}>
            {texts.none}
          </Button>
          <Button look="quiet" className="px-3!" onClick={chosen.leave}>
            {common.done}
          </Button>
          {canShare && (
            <Button className="max-sm:grow" disabled={some.length === 0} onClick={() => startSave(some)}>
              {isPhone ? <PhotosIcon /> : <ShareIcon />}
              {isPhone ? texts.save : common.share}
            </Button>
          )}
          <Button
            look={canShare ? 'secondary' : 'primary'}
            className="max-sm:grow"
            disabled={some.length === 0}
            onClick={() => startZip(some)}
          >
            <DownloadIcon />
            {common.download}
          </Button>
          {onDelete && (
            <Button
              look="danger"
              className="max-sm:grow"
              disabled={some.length === 0}
              onClick={() => {
                stop()
                onDelete(some)
              }}
            >
              {texts.delete}
            </Button>
          )}
        </Bar>
      ) : (
        <div className="mb-5 flex flex-wrap items-center gap-2">
          {offersAll && canShare && isPhone && (
            <Button className="max-sm:grow" disabled={isLoadingAll} onClick={() => withAll(startSave)}>
              <PhotosIcon />
              {texts.saveAll}
            </Button>
          )}
          {offersAll && (
            <Button
              look="secondary"
              className="max-sm:grow"
              disabled={isLoadingAll}
              busy={isLoadingAll}
              onClick={() => withAll(startZip)}
            >
              {!isLoadingAll && <DownloadIcon />}
              {total === 1 ? common.download : texts.downloadAll(total)}
            </Button>
          )}
          <Button look="quiet" onClick={() => chosen.choose([])}>
            {texts.select}
          </Button>
        </div>
      )}
      {canShare && (chosen.isChoosing || (offersAll && isPhone)) && (
        <div className="mb-5">
          <Checkbox label={texts.fullSize} checked={isFull} onChange={setFull}>
            {texts.fullSizeText(PREVIEW_MAX_SIDE)}
          </Checkbox>
        </div>
      )}
      <SavePanel save={save} onDownload={again} onClose={stop} />
      <ZipPanel zip={zip} onRetry={again} onClose={stop} />
      <p role="status" className="sr-only">
        {isLoadingAll && texts.loading(total)}
      </p>
    </>
  )
}

/** Stays in view while the visitor scrolls through the photos, below the page's header. */
function Bar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky top-18 z-30 mb-5 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface p-3 shadow-float">
      {children}
    </div>
  )
}
