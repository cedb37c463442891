import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { PREVIEW_MAX_SIDE } from '../../../../src/contract/limits.ts'
import { takeHome as texts } from '../../../../src/texts/english/photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { DownloadIcon, PhotosIcon } from '../../../ui/action-icons.tsx'
import { Button, type ButtonProps } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { pathOf, type ViewedPhoto } from '../photo-path.ts'
import { useRun } from '../use-run.ts'
import { RunPanel } from './run-panel.tsx'
import { canSharePhotos, type SaveState, savePhotos } from './save.ts'
import { useZip, type ZipState } from './use-zip.ts'

export interface TakeHomeProps {
  /** Those that have been loaded. */
  photos: readonly ViewedPhoto[]
  /** How many there are, with those that have not been loaded. */
  total: number
  isLoadingMore: boolean
  /** Loads more photos. Resolves to false when that has failed. Missing where they load by themselves. */
  loadMore?: (() => Promise<boolean>) | undefined
  chosen: Chosen
  /** Whether all photos can be taken at once. Otherwise only those that the visitor has chosen. */
  offersAll?: boolean
  /** The submission that has found the photos. */
  submissionId?: string
  /** What else can be done with the chosen photos. */
  more?: ReactNode
}

const Quiet = (props: ButtonProps) => <Button look="quiet" className="px-3!" {...props} />
/** As wide as its row on a phone. */
const Wide = (props: ButtonProps) => <Button className="max-sm:grow" {...props} />

/** How visitors take photos home: all of them, or those that they choose. Phones save them to their Photos through the
 *  share sheet, and every browser downloads them as a zip. */
export function TakeHome(props: TakeHomeProps) {
  const { photos, total, chosen, offersAll = true, submissionId, more } = props
  const { isChoosing } = chosen
  const { isLoadingAll, withAll } = useAllPhotos(props)
  const { state, stop, begin } = useRun<SaveState | ZipState>((last) => 'parts' in last)
  // A save may be gone on with after an hour.
  const withFreshAddresses = useEffectEvent((some: readonly ViewedPhoto[]) => {
    const now = new Map(photos.map((photo) => [pathOf(photo), photo]))
    return some.map((photo) => now.get(pathOf(photo)) ?? photo)
  })
  const zip = useZip(begin, withFreshAddresses, submissionId)
  const [isFull, setFull] = useState(false)
  const canSave = window.matchMedia('(pointer: coarse)').matches && canSharePhotos()
  const offersSave = canSave && (isChoosing || offersAll)
  const some = photos.filter(chosen.has)
  const isDisabled = isChoosing ? some.length === 0 : isLoadingAll
  const take = (work: Work) => (isChoosing ? work(some) : withAll(work))
  return (
    <>
      <div
        // While the visitor chooses, it stays in view below the page's header.
        className={`mb-5 flex flex-wrap items-center gap-2 ${isChoosing ? 'sticky top-18 z-30 rounded-lg border border-line bg-surface p-3 shadow-float' : ''}`}
      >
        {isChoosing && (
          <>
            <p role="status" className="grow font-semibold tabular-nums">
              {texts.selected(chosen.count)}
            </p>
            {offersAll && (
              <Quiet busy={isLoadingAll} disabled={false} onClick={() => withAll(chosen.choose)}>
                {texts.all}
              </Quiet>
            )}
            <Quiet onClick={() => chosen.choose([])}>{texts.none}</Quiet>
            <Quiet onClick={chosen.leave}>{common.done}</Quiet>
          </>
        )}
        {offersSave && (
          <Wide
            disabled={isDisabled}
            onClick={() => take((all) => savePhotos(begin(), all, isFull, withFreshAddresses))}
          >
            <PhotosIcon />
            {isChoosing ? texts.save : texts.saveAll}
          </Wide>
        )}
        {(isChoosing || offersAll) && (
          <Wide
            look={isChoosing && !canSave ? 'primary' : 'secondary'}
            disabled={isDisabled}
            busy={!isChoosing && isLoadingAll}
            onClick={() => take(zip)}
          >
            {(isChoosing || !isLoadingAll) && <DownloadIcon />}
            {isChoosing || total === 1 ? common.download : texts.downloadAll(total)}
          </Wide>
        )}
        {isChoosing ? (
          more
        ) : (
          <Button look="quiet" onClick={() => chosen.choose([])}>
            {texts.select}
          </Button>
        )}
      </div>
      {offersSave && (
        <div className="mb-5">
          <Checkbox label={texts.fullSize} checked={isFull} onChange={setFull}>
            {texts.fullSizeText(PREVIEW_MAX_SIDE)}
          </Checkbox>
        </div>
      )}
      {state && <RunPanel state={state} onZip={() => take(zip)} onClose={stop} />}
    </>
  )
}

type Work = (all: readonly ViewedPhoto[]) => void

/** Gives all photos to a piece of work, as soon as the last ones have been loaded. A second piece replaces the first. */
function useAllPhotos({ photos, total, isLoadingMore, loadMore }: TakeHomeProps) {
  const [work, setWork] = useState<Work>()
  const isComplete = photos.length >= total
  const goOn = useEffectEvent(async () => {
    if (isComplete) {
      setWork(undefined)
      work?.(photos)
    } else if (loadMore && !isLoadingMore && !(await loadMore())) setWork(undefined)
  })
  const isLoadingAll = work !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: more photos have come, so the next ones are loaded.
  useEffect(() => {
    if (isLoadingAll) void goOn()
  }, [isLoadingAll, isComplete, isLoadingMore, photos.length])

  return { isLoadingAll, withAll: (next: Work) => (isComplete ? next(photos) : setWork(() => next)) }
}

export type Chosen = ReturnType<typeof useChosen>

/** The photos that a visitor has chosen. They stay chosen when their addresses are renewed. */
export function useChosen() {
  const [paths, setPaths] = useState<ReadonlySet<string>>()
  return {
    /** Whether a tap on a photo chooses it instead of opening it. */
    isChoosing: paths !== undefined,
    count: paths?.size ?? 0,
    has: (photo: ViewedPhoto) => paths?.has(pathOf(photo)) ?? false,
    /** @param _isRange the visitor has pressed the shift key */
    toggle: (photo: ViewedPhoto, _isRange?: boolean) =>
      setPaths((former) => {
        const next = new Set(former)
        if (!next.delete(pathOf(photo))) next.add(pathOf(photo))
        return next
      }),
    /** Begins to choose, with these photos. */
    choose: (photos: readonly ViewedPhoto[]) => setPaths(new Set(photos.map(pathOf))),
    /** Ends choosing. */
    leave: () => setPaths(undefined),
  }
}
