import { photoLetters as texts } from '../../src/texts/english/opt-outs.ts'
import { aboutAlbum, LinkPage, letterPage } from '../features/letters/link-page.tsx'
import { formatDate } from '../lib/format.ts'
import { trpc } from '../trpc.ts'

/** Here guests confirm that they want letters about new photos of them, and end these letters. */
export default letterPage(({ fragment, queryToken }) => {
  const confirm = trpc.alerts.confirm.useMutation()
  const end = trpc.alerts.end.useMutation()
  const [, use, token] = /^(confirm|end|refuse)=(.+)$/.exec(fragment) ?? []
  if (use === 'confirm')
    return (
      <LinkPage
        token={token!}
        call={confirm}
        texts={{ ...texts, ...texts.confirm }}
        outcome={({ displayName, albumName, endsAt }) => ({
          title: texts.confirm.done,
          text: aboutAlbum((name) => texts.confirm.doneText(displayName, formatDate(endsAt), name)),
          albumName,
        })}
      />
    )
  return (
    <LinkPage
      // The address in a letter's header ends the letters.
      token={token ?? queryToken}
      call={end}
      texts={{ ...texts, ...texts.end, ...(use === 'refuse' && texts.refuse) }}
      outcome={() => ({ title: texts.end.done, text: texts.end.doneText })}
    />
  )
})
