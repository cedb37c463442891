import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useRef, useState } from 'react'
import { ALBUM_NAME_MAX_LENGTH, EMAIL_MAX_LENGTH, INVITE_CODE_MAX_LENGTH } from '../../src/contract/limits.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { common, pageTitles, getStarted as texts } from '../../src/texts/english.ts'
import { issuesOf, serverMessage } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { saveOrganiser } from '../lib/save-values.ts'
import { albumCreation } from '../lib/site-settings.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { toast } from '../ui/toast-store.ts'

/** For visitors who were led here from a page that needs an album. */
const REASONS = {
  'bulk-upload': texts.beforeUploading,
  selfie: texts.beforeSearching,
}

const FIELDS = ['email', 'albumName', 'inviteCode'] as const

/** What the service says is wrong with a field. */
const issueWith = (error: unknown, name: string) =>
  issuesOf(error).find(({ path }) => path[0] === name)?.message

export default function GetStartedPage() {
  usePageHead(PAGES.getStarted, pageTitles.getStarted)
  const navigate = useNavigate()
  const cameFrom = useLocation({ select: ({ state }) => state.cameFrom })
  const form = useRef<HTMLFormElement>(null)
  const [email, setEmail] = useState('')
  const [albumName, setAlbumName] = useState('')
  const [inviteCode, setInviteCode] = useState('')
  const creation = albumCreation()
  const needsCode = creation === 'invited'
  const create = trpc.albums.create.useMutation()
  // A reason is about the value that was sent. It disappears when the visitor types another.
  const reasonFor = (name: (typeof FIELDS)[number], value: string) =>
    create.variables?.[name] === value ? issueWith(create.error, name) : undefined
  const incomplete = email.trim() === '' || albumName.trim() === '' || (needsCode && inviteCode.trim() === '')

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (incomplete || create.isPending) return
    try {
      const { userAlbum } = await create.mutateAsync({
        email,
        albumName,
        displayName: albumName,
        ...(needsCode && { inviteCode }),
      })
      saveOrganiser({
        userEmail: email.trim(),
        eventName: albumName.trim(),
        userAlbumId: userAlbum.id,
        userAlbumSlug: userAlbum.albumName,
      })
    } catch (error) {
      console.error(serverMessage(error) ?? 'Failed to create album', error)
      toast({ title: common.error, description: texts.failed, tone: 'error' })
      const wrong = FIELDS.find((name) => issueWith(error, name))
      if (wrong) form.current!.querySelector<HTMLInputElement>(`[name=${wrong}]`)!.focus()
      return
    }
    toast({ title: common.success, description: texts.succeeded, tone: 'success' })
    await navigate({ to: '/bulk-upload' })
  }

  return (
    <Page width="form">
      <PageHeading title={texts.title} {...(creation !== 'closed' && { subtitle: texts.subtitle })} />
      {cameFrom && creation !== 'closed' && (
        <Notice className="mb-6" title={REASONS[cameFrom]}>
          <Sentence
            of={texts.noAlbumYet((text) => (
              <Link to="/albums" className="font-medium text-ink underline underline-offset-4">
                {text}
              </Link>
            ))}
          />
        </Notice>
      )}
      {creation === 'closed' ? (
        <Notice title={texts.closed}>
          <Sentence
            of={texts.closedText((text) => (
              <Link to="/albums" className="font-medium text-ink underline underline-offset-4">
                {text}
              </Link>
            ))}
          />
        </Notice>
      ) : (
        <Card aria-labelledby="your-information">
          <h2 id="your-information" className="text-heading font-semibold">
            {texts.yourInformation}
          </h2>
          <form ref={form} onSubmit={submit} className="mt-5 space-y-5">
            <Field
              label={texts.email}
              type="email"
              name="email"
              required
              maxLength={EMAIL_MAX_LENGTH}
              autoComplete="email"
              placeholder={texts.emailExample}
              hint={texts.emailHint}
              error={reasonFor('email', email)}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
            <Field
              label={texts.albumName}
              type="text"
              name="albumName"
              required
              maxLength={ALBUM_NAME_MAX_LENGTH}
              autoComplete="off"
              placeholder={texts.albumNameExample}
              error={reasonFor('albumName', albumName)}
              value={albumName}
              onChange={(event) => setAlbumName(event.target.value)}
            />
            {needsCode && (
              <Field
                label={texts.code}
                type="text"
                name="inviteCode"
                required
                maxLength={INVITE_CODE_MAX_LENGTH}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                hint={texts.codeHint}
                error={reasonFor('inviteCode', inviteCode)}
                value={inviteCode}
                onChange={(event) => setInviteCode(event.target.value)}
              />
            )}
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
