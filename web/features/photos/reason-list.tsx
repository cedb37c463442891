import { countOf } from '../../lib/format.ts'

/** Files that were not uploaded, each with its reason. A long list scrolls. */
export function ReasonList({ files }: { files: readonly { filename: string; message: string }[] }) {
  if (files.length === 0) return null
  return (
    <details className="mt-3" open={files.length <= 5}>
      <summary className="cursor-pointer font-medium text-ink">
        {countOf(files.length, 'photo')} not uploaded
      </summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled list must be reachable by keyboard.
        tabIndex={0}
        aria-label="Photos not uploaded"
        className="mt-2 max-h-56 space-y-1.5 overflow-y-auto text-sm"
      >
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may share a name, and the list never changes.
          <li key={index}>
            <span className="font-medium text-ink">{file.filename}</span>: {file.message}
          </li>
        ))}
      </ul>
    </details>
  )
}
