import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ChangeEvent, type SubmitEvent, useRef, useState } from 'react'
import { ownerLink } from '../../src/contract/albums/owner-link.ts'
import { ALBUM_NAME_MAX_LENGTH, EMAIL_MAX_LENGTH, INVITE_CODE_MAX_LENGTH } from '../../src/contract/limits.ts'
import { keyNotKept, logOut, getStarted as texts } from '../../src/texts/english/organiser.ts'
import * as common from '../../src/texts/english/words.ts'
import { OwnAlbums } from '../features/own-albums/own-albums.tsx'
import { issuesOf, issueWith, serverMessage } from '../lib/failure.ts'
import { keepAlbum } from '../lib/keep-albums.ts'
import { Later, lazyPart, orNothing } from '../lib/lazy-part.ts'
import { readOwnAlbums } from '../lib/own-albums.ts'
import { canKeep } from '../lib/persisted.ts'
import { setting } from '../lib/site-settings.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyLine } from '../ui/copy-line.tsx'
import { Field } from '../ui/field.tsx'
import { FailureNotice } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { toast } from '../ui/toast-store.ts'

const SendMyAlbums = lazyPart(() => import('../features/own-albums/send-my-albums.tsx').catch(orNothing))

/** For visitors who were led here from a page that needs an album. */
const REASONS = {
  'bulk-upload': texts.beforeUploading,
  selfie: texts.beforeSearching,
}

const FIELDS = ['email', 'albumName', 'inviteCode'] as const

const toAlbums = (text: string) => (
  <Link to="/albums" className="font-medium text-ink underline underline-offset-4">
    {text}
  </Link>
)

export default function GetStartedPage() {
  const cameFrom = useLocation({ select: ({ state }) => state.cameFrom })
  const [hasAlbums] = useState(() => readOwnAlbums().length > 0)
  const isClosed = setting('album-creation') === 'closed'
  return (
    <Page width="form">
      <PageHeading title={texts.title} {...(!isClosed && { subtitle: texts.subtitle })} />
      {cameFrom && hasAlbums && <Notice className="mb-6" title={texts.chooseAlbum} />}
      {cameFrom && !hasAlbums && !isClosed && (
        <Notice className="mb-6" title={REASONS[cameFrom]}>
          <Sentence of={texts.noAlbumYet(toAlbums)} />
        </Notice>
      )}
      <OwnAlbums />
      {isClosed ? (
        <Notice title={texts.closed}>
          <Sentence of={texts.closedText(toAlbums)} />
        </Notice>
      ) : (
        <Card aria-labelledby="your-information">
          <h2 id="your-information" className="text-heading font-semibold">
            {texts.yourInformation}
          </h2>
          <NewAlbum />
        </Card>
      )}
      <Later>
        <SendMyAlbums />
      </Later>
      <p className="mt-6 text-center">
        <Link
          to="/"
          className="inline-flex min-h-11 items-center text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink"
        >
          {common.backToHome}
        </Link>
      </p>
    </Page>
  )
}

/** The form that creates an album. Its key is in this browser before the upload page opens. */
function NewAlbum() {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState({ email: '', albumName: '', inviteCode: '' })
  const { email, albumName, inviteCode } = values
  const needsCode = setting('album-creation') === 'invited'
  const incomplete = email.trim() === '' || albumName.trim() === '' || (needsCode && inviteCode.trim() === '')
  /** Why the browser keeps no key: with the private link of the album that was created all the same, if any. */
  const [notKept, setNotKept] = useState<{ link?: string }>()
  const create = trpc.albums.create.useMutation({
    async onSuccess({ userAlbum: { id, albumName: slug } }, wanted) {
      const eventName = wanted.albumName.trim()
      if (!keepAlbum({ userEmail: wanted.email.trim(), eventName, userAlbumId: id, userAlbumSlug: slug }))
        return setNotKept({ link: location.origin + ownerLink(slug, id) })
      toast({ title: common.success, description: texts.succeeded, tone: 'success' })
      await navigate({ to: '/bulk-upload', state: { album: slug } })
    },
    onError(error) {
      console.error(serverMessage(error) ?? 'Failed to create album', error)
      toast({ title: common.error, description: texts.failed, tone: 'error' })
      const wrong = FIELDS.find((name) => issueWith(error, name))
      if (wrong) form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
    },
  })

  /** What the three fields have in common. */
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    required: true,
    value: values[name],
    // A reason is about the value that was sent. It disappears when the visitor types another.
    error: create.variables?.[name] === values[name] ? issueWith(create.error, name) : undefined,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      setValues((former) => ({ ...former, [name]: target.value })),
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (incomplete || create.isPending) return
    const isKept = canKeep()
    setNotKept(isKept ? undefined : {})
    if (isKept) create.mutate({ email, albumName, displayName: albumName, ...(needsCode && { inviteCode }) })
  }

  return (
    <form ref={form} onSubmit={submit} className="mt-5 space-y-5">
      <Field
        label={texts.email}
        type="email"
        {...field('email')}
        maxLength={EMAIL_MAX_LENGTH}
        autoComplete="email"
        placeholder={texts.emailExample}
        hint={texts.emailHint}
      />
      <Field
        label={texts.albumName}
        type="text"
        {...field('albumName')}
        maxLength={ALBUM_NAME_MAX_LENGTH}
        autoComplete="off"
        placeholder={texts.albumNameExample}
      />
      {needsCode && (
        <Field
          label={texts.code}
          type="text"
          {...field('inviteCode')}
          maxLength={INVITE_CODE_MAX_LENGTH}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={texts.codeHint}
        />
      )}
      {notKept && (
        <Notice tone="error" title={keyNotKept.title}>
          <p>{keyNotKept.text}</p>
          {notKept.link && (
            <>
              <p className="mt-3">{keyNotKept.created}</p>
              <CopyLine name={logOut.privateLink} value={notKept.link} />
            </>
          )}
        </Notice>
      )}
      <FailureNotice error={issuesOf(create.error).length === 0 && create.error} />
      <Button
        type="submit"
        size="lg"
        className="w-full"
        busy={create.isPending}
        disabled={incomplete || create.isPending}
      >
        {create.isPending ? texts.starting : texts.start}
      </Button>
    </form>
  )
}
