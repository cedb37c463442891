import { useState } from 'react'
import { OPT_OUTS_LISTED } from '../../../../src/contract/limits.ts'
import { deskOptOuts as texts } from '../../../../src/texts/english/desk/desk.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { focusContent, isFocusLost } from '../../../lib/focus.ts'
import { trpc } from '../../../trpc.ts'
import { Card } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { usePhotoLinks } from '../../photos/use-photo-links.ts'
import type { SectionProps } from '../sections.ts'
import { type Answer, OptOutDays } from './opt-out-days.tsx'

/** Here the owner sees the opt-outs of an album in numbers, revokes them, and answers who asks to hide photos. */
export default function OptOuts({ album: { id } }: SectionProps) {
  /** What the owner wants to revoke, until a question has said what that means. */
  const [asked, setAsked] = useState<Answer>()
  const { albums } = trpc.useUtils()
  const read = trpc.albums.optOuts.useQuery({ id }, { staleTime: 0 })
  const answer = trpc.albums.answerOptOuts.useMutation({
    onSuccess: (list) => albums.optOuts.setData({ id }, list),
    onSettled: () => isFocusLost() && focusContent(),
  })
  const optOuts = read.data?.optOuts
  // A call that is running goes on.
  const readAgain = () => void read.refetch({ cancelRefetch: false })
  usePhotoLinks(optOuts && read.dataUpdatedAt, readAgain)

  function send({ change, optOuts: some }: Answer) {
    setAsked(undefined)
    answer.mutate({ id, change, ids: some.slice(0, OPT_OUTS_LISTED).map((one) => one.id) })
  }

  return (
    <Card>
      <p className="text-ink-soft">{optOuts?.length === 0 ? texts.none : texts.about}</p>
      {optOuts && (
        <OptOutDays
          optOuts={optOuts}
          isBusy={answer.isPending}
          onAnswer={(given) => (given.change === 'revoke' ? setAsked(given) : send(given))}
        />
      )}
      {read.isPending && <Skeleton className="mt-4 h-24 rounded-lg" />}
      {answer.isSuccess && (
        <Notice tone="success" className="mt-6">
          {texts.saved}
        </Notice>
      )}
      <FailureNotice
        error={answer.error ?? read.error}
        className="mt-6"
        title={answer.isError ? texts.notSaved : texts.notLoaded}
        onRetry={optOuts ? undefined : readAgain}
      />
      {asked && (
        <ConfirmDialog
          title={texts.confirmRevoke}
          stay={{ label: common.cancel, onClick: () => setAsked(undefined) }}
          leave={{ label: texts.revoke, onClick: () => send(asked) }}
        >
          {texts.meaning(asked.optOuts.reduce((sum, { faces }) => sum + faces, 0))}
        </ConfirmDialog>
      )}
    </Card>
  )
}
