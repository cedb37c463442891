import { plainFilename } from '../../../src/contract/file-names.ts'
import { reasonList as texts } from '../../../src/texts/english/upload.ts'

export interface ReasonListProps {
  files: readonly { filename: string; message: string }[]
  /** How many files there are when `files` is only the first of them. */
  count?: number
}

/** Files that were not uploaded, each with its reason. Long lists scroll in place, and are closed at first. */
export function ReasonList({ files, count = files.length }: ReasonListProps) {
  if (files.length === 0) return null
  return (
    <details className="mt-3" open={files.length <= 5}>
      <summary className="cursor-pointer font-medium text-ink">{texts.title(count)}</summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled list must be reachable by keyboard.
        tabIndex={0}
        aria-label={texts.label}
        className="mt-2 max-h-56 space-y-1.5 overflow-y-auto text-sm"
      >
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may share a name.
          <li key={index}>
            <span className="font-medium text-ink">{plainFilename(file.filename)}</span>: {file.message}
          </li>
        ))}
        {count > files.length && <li>{texts.more(count - files.length)}</li>}
      </ul>
    </details>
  )
}
