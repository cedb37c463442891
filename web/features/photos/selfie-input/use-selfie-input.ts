import {
  type ChangeEvent,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { SELFIE_MAX_BYTES } from '../../../../src/contract/limits.ts'
import { selfieFile as texts } from '../../../../src/texts/english/search.ts'
import { dismissFailures, toast } from '../../../ui/toast-store.ts'

/** The types of a selfie (§5). HEIC is not among them, so an iPhone converts the photo to JPEG when it is chosen. */
const SELFIE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const SELFIE_ACCEPT = [...SELFIE_TYPES, '.jpeg', '.jpg', '.png', '.gif', '.webp'].join()

/** The toast for files that cannot be a selfie; undefined when they are one selfie. When there are two, only the visitor
 *  knows which one is meant. */
export function selfieProblem(files: readonly File[]): { title: string; description: string } | undefined {
  if (files.length > 1) return { title: texts.tooMany, description: texts.tooManyText }
  const [{ type, size } = { type: '', size: 0 }] = files
  if (!SELFIE_TYPES.includes(type)) return { title: texts.wrongType, description: texts.wrongTypeText }
  if (size > SELFIE_MAX_BYTES)
    return {
      title: texts.tooLarge,
      description: texts.tooLargeText(SELFIE_MAX_BYTES / 1024 / 1024),
    }
  if (size === 0) return { title: texts.tooSmall, description: texts.tooSmallText }
}

/** Takes one photo at a time: by drop, dialog or paste. react-dropzone does the same for the upload page. It reads folders,
 *  too, and would add a twentieth to what a guest loads here. */
export function useSelfieInput(disabled: boolean, onChoose: (selfie: File) => void) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  // A file that is dropped beside the area would replace the page.
  useEffect(() => {
    const leaving = new AbortController()
    for (const type of ['dragover', 'drop'])
      document.addEventListener(type, (event) => event.preventDefault(), { signal: leaving.signal })
    return () => leaving.abort()
  }, [])

  function takeFiles(list: FileList | null): void {
    const files = [...(list ?? [])]
    const [selfie] = files
    if (!selfie || disabled) return
    const problem = selfieProblem(files)
    if (problem) return void toast({ ...problem, tone: 'error' })
    // What failed was said of the selfie before this one.
    dismissFailures()
    onChoose(selfie)
  }
  const take = {
    type: 'file',
    accept: SELFIE_ACCEPT,
    disabled,
    tabIndex: -1,
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
      takeFiles(currentTarget.files)
      // So that the same file can be chosen again.
      currentTarget.value = ''
    },
  }
  const open = () => input.current?.click()

  return {
    /** For another input, such as that of the camera. */
    take,
    /** Opens the browser's dialog. */
    open,
    isOver,
    input: { ...take, ref: input },
    /** A disabled input opens nothing. */
    area: {
      role: 'button',
      tabIndex: disabled ? undefined : 0,
      onClick: open,
      onKeyDown(press: KeyboardEvent) {
        if (press.key !== 'Enter' && press.key !== ' ') return
        // The space key would scroll the page.
        press.preventDefault()
        open()
      },
      onDragEnter: () => setIsOver(!disabled),
      onDragLeave({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) {
        if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false)
      },
      onDrop({ dataTransfer }: DragEvent) {
        setIsOver(false)
        takeFiles(dataTransfer.files)
      },
      onPaste: ({ clipboardData }: ClipboardEvent) => takeFiles(clipboardData.files),
    },
  }
}
