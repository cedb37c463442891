import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Remains } from '../../src/contract/albums/albums.ts'
import { erasedAlbum as texts } from '../../src/texts/english/desk/desk-settings.ts'
import { digits } from '../../src/texts/numbers.ts'
import { LinkOutcome } from '../features/letters/link-page.tsx'
import { trpc } from '../trpc.ts'
import { Sentence } from '../ui/sentence.tsx'

/** An album that was erased in this tab. */
export interface ErasedAlbum {
  id: string
  displayName: string
  photos: number
  remains: Remains
}

const ASK_AGAIN_MS = 3_000

/** The receipt of an erasure. The tab keeps it. */
export default function ErasedPage() {
  const erased = useLocation({ select: ({ state }) => state.erased })
  if (!erased) return <LinkOutcome title={texts.nothing} text={null} />
  return <Receipt {...erased} />
}

function Receipt({ id, displayName, photos, remains: first }: ErasedAlbum) {
  const { client } = trpc.useUtils()
  // What the last check of all places has found. When the page cannot ask again, a letter says the rest.
  const { data: remains } = useQuery({
    queryKey: ['remains', id],
    queryFn: () => client.albums.erase.mutate({ id }),
    initialData: first,
    refetchInterval: ({ state: { data, error } }) =>
      data && countOf(data) > 0 && !error ? ASK_AGAIN_MS : false,
  })
  const isDone = countOf(remains) === 0
  const name = <bdi>{displayName}</bdi>
  const rows: [string, number][] = [
    [texts.rows, remains.rowsRemaining],
    [texts.files, remains.filesRemaining],
    [texts.faces, remains.facesRemaining],
  ]
  return (
    <LinkOutcome
      isGood
      title={<Sentence of={isDone ? texts.done(name) : texts.under(name)} />}
      text={
        <div role="status">
          <p>{isDone ? texts.doneText : texts.underText}</p>
          <p className="mt-4 font-medium text-ink">{texts.photos(photos)}</p>
          <table className="mx-auto mt-2 text-left tabular-nums">
            <caption className="sr-only">{texts.remain}</caption>
            <tbody>
              {rows.map(([what, count]) => (
                <tr key={what}>
                  <th className="px-4 py-1 font-normal">{what}</th>
                  <td className="py-1 text-right">
                    {texts.remain}: {digits(count)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-4 text-sm">{texts.letter}</p>
        </div>
      }
    />
  )
}

const countOf = ({ rowsRemaining, filesRemaining, facesRemaining }: Remains) =>
  rowsRemaining + filesRemaining + facesRemaining
