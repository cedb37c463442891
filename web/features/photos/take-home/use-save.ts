import { useEffect, useRef, useState } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { loadPhoto, nextPortion, portionLimits } from './portions.ts'

export interface SaveState {
  /** `ready`: a tap opens the share sheet. `asked`: the sheet is open, or its promise never resolves. `paused`: it has
   *  taken its photos, and there are more. */
  step: 'loading' | 'ready' | 'asked' | 'paused' | 'done' | 'not-loaded' | 'refused'
  /** Photos that the share sheet has taken. */
  saved: number
  total: number
  isFull: boolean
  /** Photos that it gets next, or has now. */
  portion: number
}

export interface Save {
  /** Undefined while nothing is being saved. */
  state: SaveState | undefined
  /** @param isFull at full size, and not as previews */
  start(photos: readonly ResultPhoto[], isFull: boolean): void
  /** Opens the share sheet, once the photos for it have been loaded. Only works in a tap. */
  share(): void
  /** Goes on to the next photos, as if the sheet had taken those that it has. */
  goOn(): void
  stop(): void
}

interface Run {
  photos: readonly ResultPhoto[]
  isFull: boolean
  saved: number
  files: Promise<File[]>
  /** The portion after those; undefined until those are handed over. */
  next?: Promise<File[]>
  leaving: AbortController
}

/** Hands photos to the phone's share sheet, which saves them to its Photos. The sheet takes a few at a time and opens only
 *  soon after a tap, so each portion needs a tap. The next portion is loaded meanwhile.
 *  @param onFail photos do not load */
export function useSave(onFail?: () => void): Save {
  const [state, setState] = useState<SaveState>()
  const current = useRef<Run>(undefined)
  useEffect(() => () => current.current?.leaving.abort(), [])

  function loadFrom({ photos, isFull, leaving }: Omit<Run, 'files'>, at: number): Promise<File[]> {
    const limits = portionLimits(navigator.userAgent, navigator.maxTouchPoints)
    const files = nextPortion(photos.slice(at), limits, (photo) => loadPhoto(photo, isFull, leaving.signal))
    // A failure is shown when these files are needed.
    files.catch(() => {})
    return files
  }

  function show(run: Run, step: SaveState['step'], portion = 0): void {
    if (current.current === run) {
      const { saved, photos, isFull } = run
      setState({ step, saved, total: photos.length, isFull, portion })
    }
  }

  async function offer(run: Run): Promise<void> {
    show(run, 'loading')
    try {
      const files = await run.files
      if (current.current !== run) return
      // Photos that have come quickly need no second tap.
      if (navigator.userActivation?.isActive) await hand(run, files)
      else show(run, 'ready', files.length)
    } catch {
      show(run, 'not-loaded')
      onFail?.()
    }
  }

  async function hand(run: Run, files: File[]): Promise<void> {
    const { saved } = run
    const isCurrent = () => current.current === run && run.saved === saved
    show(run, 'asked', files.length)
    run.next ??= loadFrom(run, saved + files.length)
    try {
      // May never resolve. Then the visitor goes on by hand.
      await navigator.share({ files })
      if (isCurrent()) advance(run, files)
    } catch (error) {
      if (!isCurrent()) return
      // The visitor has closed the sheet, or their tap was too long ago.
      const isOver = ['AbortError', 'NotAllowedError'].includes((error as Error).name)
      show(run, isOver ? 'ready' : 'refused', files.length)
    }
  }

  function advance(run: Run, files: File[]): void {
    run.saved += files.length
    run.files = run.next!
    delete run.next
    show(run, run.saved < run.photos.length ? 'paused' : 'done')
  }

  return {
    state,
    start(photos, isFull) {
      current.current?.leaving.abort()
      const begun = { photos, isFull, saved: 0, leaving: new AbortController() }
      const run = { ...begun, files: loadFrom(begun, 0) }
      current.current = run
      void offer(run)
    },
    share() {
      const run = current.current
      if (!run) return
      if (state?.step === 'not-loaded') run.files = loadFrom(run, run.saved)
      void offer(run)
    },
    goOn() {
      const run = current.current
      if (!run) return
      void run.files.then((files) => {
        advance(run, files)
        if (run.saved < run.photos.length) void offer(run)
      })
    },
    stop() {
      current.current?.leaving.abort()
      current.current = undefined
      setState(undefined)
    },
  }
}
