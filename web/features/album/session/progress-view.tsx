import { type ReactNode, Suspense, useEffect } from 'react'
import type { EnteredAlbum, Progress } from '../../../../src/contract/albums/albums.ts'
import { RELOAD_AFTER_COMPLETION_MS } from '../../../../src/contract/limits.ts'
import { searchablePhotos } from '../../../../src/texts/english/album.ts'
import { progressView as texts } from '../../../../src/texts/english/album-progress.ts'
import { failureText } from '../../../lib/failure.ts'
import { lazyPart, orNothing } from '../../../lib/lazy-part.ts'
import { timeLeft } from '../../../lib/time-left.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FaceIcon } from '../../../ui/icons.tsx'
import { CloudIcon, SearchIcon } from '../../../ui/more-icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'

const NothingUploaded = lazyPart(() => import('../../own-albums/upload-here.tsx').catch(orNothing))

export interface ProgressViewProps {
  album: EnteredAlbum
  /** The page polls it. */
  progress: Progress
  /** Why the last poll failed. */
  failure: unknown
  /** The visitor wants to search the photos that can be found already. */
  onSearch: () => void
}

/** Shown while an album is being processed; reloads the page 2.5 s after completion. */
export default function ProgressView({ album, progress, failure, onSearch }: ProgressViewProps) {
  const completed = progress.isCompleted

  useEffect(() => {
    if (!completed) return
    const timer = setTimeout(() => window.location.reload(), RELOAD_AFTER_COMPLETION_MS)
    return () => clearTimeout(timer)
  }, [completed])

  const { totalPhotos, photosUploadedToS3, photosIndexedToRekognition } = progress
  const steps = stepsOf(progress)
  return (
    <div className="space-y-4">
      {failure !== null && (
        <Notice tone="error" title={texts.failed(failureText(failure, texts.noReason))}>
          {texts.triesAgain}
        </Notice>
      )}
      {isEmpty(progress) ? (
        <Suspense>
          <NothingUploaded album={album} />
        </Suspense>
      ) : (
        <Banner {...progress} />
      )}
      {photosIndexedToRekognition > 0 && !completed && (
        <Card aria-labelledby="search-offer">
          <h2 id="search-offer" className="text-heading font-semibold">
            {searchablePhotos.offer}
          </h2>
          <p className="mt-1 text-ink-soft tabular-nums">
            {searchablePhotos.soFar(photosIndexedToRekognition, totalPhotos)}
          </p>
          <Button className="mt-4 max-sm:w-full" onClick={onSearch}>
            <SearchIcon />
            {searchablePhotos.search}
          </Button>
        </Card>
      )}
      <Step
        icon={<CloudIcon />}
        title={texts.uploading}
        state={steps.uploading}
        done={photosUploadedToS3}
        total={totalPhotos}
        inWords={texts.uploaded}
      />
      <Step
        icon={<FaceIcon />}
        title={texts.indexing}
        state={steps.indexing}
        done={photosIndexedToRekognition}
        total={totalPhotos}
        inWords={texts.indexed}
      >
        {/* It takes the same space while the time is unknown. */}
        {steps.indexing === 'in-progress' && (
          <p className="mt-3 text-sm text-ink-soft tabular-nums first-letter:uppercase">
            {progress.secondsLeft === null ? '\u00a0' : timeLeft(progress.secondsLeft)}
          </p>
        )}
      </Step>
    </div>
  )
}

function Banner({ isCompleted, isOfAnotherEngine }: Progress) {
  if (isOfAnotherEngine) return <Notice>{texts.ofAnotherEngine}</Notice>
  return isCompleted ? (
    <Notice tone="success" title={texts.completed}>
      {texts.redirecting}
    </Notice>
  ) : (
    <Notice>{texts.processing}</Notice>
  )
}

type StepState = 'not-started' | 'in-progress' | 'done'

const STATES: Record<StepState, { label: string; look: string }> = {
  'not-started': { label: texts.notStarted, look: 'bg-sunken text-ink-soft' },
  'in-progress': { label: texts.inProgress, look: 'bg-accent text-on-accent' },
  done: { label: texts.done, look: 'bg-success-wash text-success' },
}

interface StepProps {
  icon: ReactNode
  title: string
  state: StepState
  done: number
  total: number
  inWords: (done: number, total: number) => string
  children?: ReactNode
}

function Step({ icon, title, state, done, total, inWords, children }: StepProps) {
  const { label, look } = STATES[state]
  return (
    <Card>
      <div className="flex items-start gap-3">
        <span className="mt-0.5">{icon}</span>
        <h2 className="grow text-heading font-semibold">{title}</h2>
      </div>
      <div className="mt-4 mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {/* A screen reader reads the state when it changes. It does not read the count, which changes all the time. */}
        <p role="status" className={`rounded-full px-3 py-1 text-xs font-bold tracking-wide ${look}`}>
          <span className="sr-only">{title}:</span> {label}
        </p>
        <p className="text-ink-soft tabular-nums">{inWords(done, total)}</p>
      </div>
      <ProgressBar label={title} done={total === 0 ? 0 : done / total} />
      {children}
    </Card>
  )
}

/** Nothing is stored, and nothing is being uploaded. */
export function isEmpty({ totalPhotos, isUploadingToS3, isCompleted }: Progress): boolean {
  return totalPhotos === 0 && !isUploadingToS3 && !isCompleted
}

/** What the two step cards say (§4). */
export function stepsOf(progress: Progress): { uploading: StepState; indexing: StepState } {
  const { totalPhotos, photosUploadedToS3, photosIndexedToRekognition, isCompleted } = progress
  const uploaded = totalPhotos > 0 && photosUploadedToS3 >= totalPhotos
  return {
    uploading: stateOf(isCompleted || uploaded, progress.isUploadingToS3 || photosUploadedToS3 > 0),
    // Between two batches nothing waits to be indexed, although photos have been.
    indexing: stateOf(
      isCompleted,
      progress.isIndexingToRekognition || uploaded || photosIndexedToRekognition > 0,
    ),
  }
}

function stateOf(done: boolean, active: boolean): StepState {
  if (done) return 'done'
  return active ? 'in-progress' : 'not-started'
}
