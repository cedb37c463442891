import { useRef } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import type { Run, Runs } from '../use-run.ts'
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

interface Saving extends Run<SaveState>, Pick<SaveState, 'saved' | 'isFull'> {
  photos: readonly ResultPhoto[]
  /** Those that are loaded or on their way, by how many photos come before them. */
  portions: Map<number, Promise<File[]>>
}

export type Save = ReturnType<typeof useSave>

/** Hands photos to the phone's share sheet, which saves them to its Photos. The sheet takes a few at a time and opens only
 *  soon after a tap, so each portion needs a tap. The next portion is loaded meanwhile.
 *  @param onFail photos do not load */
export function useSave({ begin }: Runs<SaveState>, onFail?: () => void) {
  const current = useRef<Saving>(undefined)

  async function offer(saving: Saving): Promise<void> {
    show(saving, 'loading')
    try {
      const files = await portionAfter(saving, saving.saved)
      if (saving.signal.aborted) return
      // Photos that have come quickly need no second tap.
      if (navigator.userActivation?.isActive) await hand(saving, files)
      else show(saving, 'ready', files.length)
    } catch {
      show(saving, 'not-loaded')
      if (!saving.signal.aborted) onFail?.()
    }
  }

  return {
    start(photos: readonly ResultPhoto[], isFull: boolean) {
      current.current = { ...begin(), photos, isFull, saved: 0, portions: new Map() }
      void offer(current.current)
    },
    /** Opens the share sheet, once the photos for it have been loaded. Only works in a tap. */
    share: () => void offer(current.current!),
    /** Goes on to the next photos, as if the sheet had taken those that it has. */
    async goOn() {
      const saving = current.current!
      advance(saving, await portionAfter(saving, saving.saved))
      if (saving.saved < saving.photos.length) void offer(saving)
    },
  }
}

/** Loads photos for the sheet, which are asked for again later. What failed is then loaded again. */
function portionAfter({ photos, isFull, signal, portions }: Saving, saved: number): Promise<File[]> {
  const known = portions.get(saved)
  if (known) return known
  const files = nextPortion(photos.slice(saved), (photo) => loadPhoto(photo, isFull, signal))
  portions.set(saved, files)
  files.catch(() => portions.delete(saved))
  return files
}

async function hand(saving: Saving, files: File[]): Promise<void> {
  const { saved } = saving
  show(saving, 'asked', files.length)
  void portionAfter(saving, saved + files.length)
  // The visitor may have gone on by hand.
  const isCurrent = () => saving.saved === saved
  try {
    // May never resolve.
    await navigator.share({ files })
    if (isCurrent()) advance(saving, files)
  } catch (error) {
    if (isCurrent()) show(saving, STEP_AFTER[(error as Error).name] ?? 'refused', files.length)
  }
}

function advance(saving: Saving, files: File[]): void {
  saving.portions.delete(saving.saved)
  saving.saved += files.length
  show(saving, saving.saved < saving.photos.length ? 'paused' : 'done')
}

function show(saving: Saving, step: SaveState['step'], portion = 0): void {
  const { saved, isFull, photos } = saving
  saving.show({ step, saved, total: photos.length, isFull, portion })
}
