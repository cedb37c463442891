import { useEffect, useRef, useState } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { loadPhoto, nextPortion } from './portions.ts'

export interface SaveState {
  /** `ready`: a tap opens the share sheet. `closed`: the same, because the visitor has closed it. `asked`: the sheet is
   *  open, or its promise never resolves. `paused`: it has taken its photos, and there are more. */
  step: 'loading' | 'ready' | 'closed' | 'asked' | 'paused' | 'done' | 'not-loaded' | 'refused'
  /** Photos that the share sheet has taken. */
  saved: number
  total: number
  /** At full size, and not as previews. */
  isFull: boolean
  /** Photos that it gets next, or has now. */
  portion: number
}

/** Why the share sheet has not taken photos. */
const STEP_AFTER: Record<string, SaveState['step']> = {
  // The tap was too long ago.
  NotAllowedError: 'ready',
  AbortError: 'closed',
  // It is still open.
  InvalidStateError: 'asked',
}

interface Run extends Pick<SaveState, 'saved' | 'isFull'> {
  photos: readonly ResultPhoto[]
  files: Promise<File[]>
  /** The portion after those; undefined until those are handed over. */
  next?: Promise<File[]> | undefined
  leaving: AbortController
}

export type Save = ReturnType<typeof useSave>

/** Hands photos to the phone's share sheet, which saves them to its Photos. The sheet takes a few at a time and opens only
 *  soon after a tap, so each portion needs a tap. The next portion is loaded meanwhile.
 *  @param onFail photos do not load */
export function useSave(onFail?: () => void) {
  /** Undefined while nothing is being saved. */
  const [state, setState] = useState<SaveState>()
  const current = useRef<Run>(undefined)
  useEffect(() => () => current.current?.leaving.abort(), [])

  function load({ photos, isFull, leaving }: Omit<Run, 'files'>, from: number): Promise<File[]> {
    const files = nextPortion(photos.slice(from), (photo) => loadPhoto(photo, isFull, leaving.signal))
    // A failure is shown when these files are needed.
    files.catch(() => {})
    return files
  }

  function show(run: Run, step: SaveState['step'], portion = 0): void {
    const { saved, isFull, photos } = run
    if (current.current === run) setState({ step, saved, total: photos.length, isFull, portion })
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
    run.next ??= load(run, saved + files.length)
    try {
      // May never resolve. Then the visitor goes on by hand.
      await navigator.share({ files })
      if (isCurrent()) advance(run, files)
    } catch (error) {
      if (isCurrent()) show(run, STEP_AFTER[(error as Error).name] ?? 'refused', files.length)
    }
  }

  function advance(run: Run, files: File[]): void {
    Object.assign(run, { saved: run.saved + files.length, files: run.next, next: undefined })
    show(run, run.saved < run.photos.length ? 'paused' : 'done')
  }

  function stop(): void {
    current.current?.leaving.abort()
    current.current = undefined
    setState(undefined)
  }

  return {
    state,
    stop,
    start(photos: readonly ResultPhoto[], isFull: boolean) {
      stop()
      const begun = { photos, isFull, saved: 0, leaving: new AbortController() }
      current.current = { ...begun, files: load(begun, 0) }
      void offer(current.current)
    },
    /** Opens the share sheet, once the photos for it have been loaded. Only works in a tap. */
    share() {
      const run = current.current!
      if (state?.step === 'not-loaded') run.files = load(run, run.saved)
      void offer(run)
    },
    /** Goes on to the next photos, as if the sheet had taken those that it has. */
    async goOn() {
      const run = current.current!
      advance(run, await run.files)
      if (run.saved < run.photos.length) void offer(run)
    },
  }
}
