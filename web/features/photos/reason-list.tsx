import { plainFilename } from '../../../src/contract/file-names.ts'
import { reasonList as texts } from '../../../src/texts/english/upload.ts'

export interface ReasonListProps {
  files: readonly { filename: string; message: string }[]
  /** How many files there are when `files` is only the first of them. */
  count?: number
  /** Some of the files may be no photos. */
  areAnyFiles?: boolean
  /** They were uploaded, and something is wrong with them. */
  areStored?: boolean
}

/** Files that were not uploaded, each with its reason, or what is wrong with photos that were. Long lists scroll in place. */
export function ReasonList({
  files,
  count = files.length,
  areAnyFiles = false,
  areStored = false,
}: ReasonListProps) {
  if (files.length === 0) return null
  const [title, label] = areStored
    ? [texts.storedTitle(count), texts.storedLabel]
    : areAnyFiles
      ? [texts.filesTitle(count), texts.filesLabel]
      : [texts.title(count), texts.label]
  return (
    <details className="mt-3" open={files.length <= 5}>
      <summary className="cursor-pointer font-medium text-ink">{title}</summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled list must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
        className="mt-2 max-h-56 space-y-1.5 overflow-y-auto text-sm"
      >
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may share a name, and the list never changes.
          <li key={index}>
            <span className="font-medium text-ink">{plainFilename(file.filename)}</span>: {file.message}
          </li>
        ))}
        {count > files.length && <li>{texts.more(count - files.length)}</li>}
      </ul>
    </details>
  )
}
