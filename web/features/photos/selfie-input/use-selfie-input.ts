import {
  type ChangeEvent,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { dismissFailures, toast } from '../../../ui/toast-store.ts'
import { SELFIE_ACCEPT, selfieProblem } from './selfie-file.ts'

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
