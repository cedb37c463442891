import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Remains } from '../../src/contract/albums.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { erasedAlbum as texts } from '../../src/texts/english/desk-settings.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { digits } from '../../src/texts/numbers.ts'
import { LinkOutcome } from '../features/letters/link-page.tsx'
import { usePageHead } from '../lib/page-head.ts'
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
  usePageHead(PAGES.erased, pageTitles.erased)
  const erased = useLocation({ select: ({ state }) => state.erased })
  if (!erased) return <LinkOutcome title={texts.nothing} text={null} />
  return <Receipt {...erased} />
}

function Receipt({ id, displayName, photos, remains: first }: ErasedAlbum) {
  const remains = useRemains(id, first)
  const left = remains.rowsRemaining + remains.filesRemaining + remains.facesRemaining
  const name = <bdi>{displayName}</bdi>
  const rows: [string, number][] = [
    [texts.rows, remains.rowsRemaining],
    [texts.files, remains.filesRemaining],
    [texts.faces, remains.facesRemaining],
  ]
  return (
    <LinkOutcome
      isGood
      title={<Sentence of={left > 0 ? texts.under(name) : texts.done(name)} />}
      text={
        <div role="status">
          <p>{left > 0 ? texts.underText : texts.doneText}</p>
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

/** What the last check of all places has found. It asks again until nothing remains. */
function useRemains(id: string, first: Remains): Remains {
  const { client } = trpc.useUtils()
  const [remains, setRemains] = useState(first)
  useEffect(() => {
    if (remains.rowsRemaining + remains.filesRemaining + remains.facesRemaining === 0) return
    let isOver = false
    const ask = () =>
      client.albums.erase.mutate({ id }).then(
        (now) => isOver || setRemains(now),
        // What is known stays, and a letter says the rest.
        (error: unknown) => console.warn('What remains of the album is not known', error),
      )
    const timer = setTimeout(ask, ASK_AGAIN_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [client, id, remains])
  return remains
}
