import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ChangeEvent, type SubmitEvent, useRef, useState } from 'react'
import { ownerLink } from '../../src/contract/albums/owner-link.ts'
import { ALBUM_NAME_MAX_LENGTH, EMAIL_MAX_LENGTH, INVITE_CODE_MAX_LENGTH } from '../../src/contract/limits.ts'
import { keyNotKept, logOut, getStarted as texts } from '../../src/texts/english/organiser.ts'
import * as common from '../../src/texts/english/words.ts'
import { OwnAlbums } from '../features/own-albums/own-albums.tsx'
import { hasSameAlbum, setUpAlbum, type Wanted } from '../features/own-albums/set-up-album.ts'
import { issuesOf, issueWith, serverMessage } from '../lib/failure.ts'
import { keepAlbum } from '../lib/keep-albums.ts'
import { Later, lazyPart, orNothing } from '../lib/lazy-part.ts'
import { albumCreation } from '../lib/new-albums.ts'
import { readOwnAlbums } from '../lib/own-albums.ts'
import { canKeep, type Organiser } from '../lib/persisted.ts'
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
  const navigate = useNavigate()
  const cameFrom = useLocation({ select: ({ state }) => state.cameFrom })
  const { client } = trpc.useUtils()
  const form = useRef<HTMLFormElement>(null)
  const typed = useLocation({ select: ({ state }) => state.typed })
  const [values, setValues] = useState({ email: '', albumName: '', inviteCode: '', ...typed })
  const { email, albumName, inviteCode } = values
  /** The album is there, but the browser did not save its key. Null: it would save none, so no album was created. */
  const [notKept, setNotKept] = useState<Organiser | null>()
  const [hasAlbums] = useState(() => readOwnAlbums().length > 0)
  const creation = albumCreation()
  const needsCode = creation === 'invited'
  const create = useMutation({ mutationFn: (wanted: Wanted) => setUpAlbum(client, wanted) })
  const wanted = { email, albumName, created: typed?.created, ...(needsCode && { inviteCode }) }
  const lacksCode = needsCode && inviteCode.trim() === '' && !hasSameAlbum(wanted)
  const incomplete = email.trim() === '' || albumName.trim() === '' || lacksCode

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

  /** Back to this page finds it. */
  async function rememberTyped(created = typed?.created): Promise<void> {
    if (typed?.email === email && typed.albumName === albumName && typed.created === created) return
    await navigate({
      to: '/get-started',
      replace: true,
      // The visitor may be pressing a button.
      resetScroll: false,
      state: (former) => ({ ...former, typed: { email, albumName, ...(created && { created }) } }),
    })
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (incomplete || create.isPending) return
    setNotKept(undefined)
    if (!canKeep()) return setNotKept(null)
    let album: Organiser
    try {
      album = await create.mutateAsync(wanted)
    } catch (error) {
      console.error(serverMessage(error) ?? 'Failed to create album', error)
      toast({ title: common.error, description: texts.failed, tone: 'error' })
      const wrong = FIELDS.find((name) => issueWith(error, name))
      if (wrong) form.current!.querySelector<HTMLInputElement>(`[name=${wrong}]`)!.focus()
      return
    }
    if (!keepAlbum(album)) return setNotKept(album)
    await rememberTyped(album.userAlbumSlug)
    toast({ title: common.success, description: texts.succeeded, tone: 'success' })
    await navigate({ to: '/bulk-upload', state: album.userAlbumSlug ? { album: album.userAlbumSlug } : {} })
  }

  return (
    <Page width="form">
      <PageHeading title={texts.title} {...(creation !== 'closed' && { subtitle: texts.subtitle })} />
      {cameFrom && hasAlbums && <Notice className="mb-6" title={texts.chooseAlbum} />}
      {cameFrom && !hasAlbums && creation !== 'closed' && (
        <Notice className="mb-6" title={REASONS[cameFrom]}>
          <Sentence of={texts.noAlbumYet(toAlbums)} />
        </Notice>
      )}
      <OwnAlbums />
      {creation === 'closed' ? (
        <Notice title={texts.closed}>
          <Sentence of={texts.closedText(toAlbums)} />
        </Notice>
      ) : (
        <Card aria-labelledby="your-information">
          <h2 id="your-information" className="text-heading font-semibold">
            {texts.yourInformation}
          </h2>
          <form ref={form} onSubmit={submit} onBlur={() => void rememberTyped()} className="mt-5 space-y-5">
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
                required={lacksCode}
                maxLength={INVITE_CODE_MAX_LENGTH}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                hint={texts.codeHint}
              />
            )}
            {notKept !== undefined && <KeyNotKept album={notKept} />}
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

/** Says that the browser saves nothing.
 *  @param album the one that was created all the same, if any: its key is shown, because nothing else has it */
function KeyNotKept({ album }: { album: Organiser | null }) {
  return (
    <Notice tone="error" title={keyNotKept.title}>
      <p>{keyNotKept.text}</p>
      {album?.userAlbumSlug !== undefined && (
        <>
          <p className="mt-3">{keyNotKept.created}</p>
          <CopyLine
            name={logOut.privateLink}
            value={location.origin + ownerLink(album.userAlbumSlug, album.userAlbumId)}
          />
        </>
      )}
    </Notice>
  )
}
