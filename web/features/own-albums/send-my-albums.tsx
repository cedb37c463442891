import { EMAIL_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { sendMyAlbums as texts } from '../../../src/texts/english/desk/desk-settings.ts'
import { trpc } from '../../trpc.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { OneFieldForm } from './one-field-form.tsx'

/** Sends an organiser who has lost the way to their albums a letter with the links. */
export default function SendMyAlbums() {
  const { mutateAsync, variables, isSuccess } = trpc.albums.sendMine.useMutation()
  return (
    <Card aria-labelledby="send-my-albums" className="mt-6">
      <h2 id="send-my-albums" className="text-heading font-semibold">
        {texts.title}
      </h2>
      <p className="mt-1 mb-4 text-ink-soft">{texts.text}</p>
      <OneFieldForm
        name="email"
        type="email"
        label={texts.email}
        maxLength={EMAIL_MAX_LENGTH}
        autoComplete="email"
        texts={texts}
        change={(email) => mutateAsync({ email })}
      >
        {isSuccess && (
          <Notice tone="success" title={texts.sent}>
            <Sentence of={texts.sentText(<bdi className="break-words">{variables.email}</bdi>)} />
          </Notice>
        )}
      </OneFieldForm>
    </Card>
  )
}
