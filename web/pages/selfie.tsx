import { useMutation, useQuery } from '@tanstack/react-query'
import { Navigate, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import type { SubmitOutput } from '../../src/contract/submissions.ts'
import { selfieForm, selfie as texts } from '../../src/texts/english/submissions.ts'
import { sentSelfie } from '../features/photos/as-sent.ts'
import { appendConsent, type Consent, ConsentNote, useConsent } from '../features/photos/consent.tsx'
import { SelfiePicker } from '../features/photos/selfie-picker.tsx'
import { SelfieWaitNotice } from '../features/photos/selfie-wait-notice.tsx'
import { useRun } from '../features/photos/use-run.ts'
import { LibraryLink } from '../features/selfie/library-link.tsx'
import { serverMessage } from '../lib/failure.ts'
import { useFocusAfter } from '../lib/focus.ts'
import { postMultipart } from '../lib/multipart.ts'
import { readOrganiser } from '../lib/own-albums.ts'
import { patiently, type Waiting } from '../lib/patience.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { LockIcon, SearchIcon } from '../ui/more-icons.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { dismissFailures, toast } from '../ui/toast-store.ts'

export default function SelfiePage() {
  useOfflineApp()
  const [organiser] = useState(readOrganiser)
  if (!organiser) return <Navigate to="/get-started" state={{ cameFrom: 'selfie' }} replace />
  return (
    <Page width="read">
      <PageHeading
        title={texts.title(organiser.eventName)}
        subtitle={<Sentence of={texts.subtitle(<LibraryLink />)} />}
      />
      <Card>
        <SelfieForm userAlbumId={organiser.userAlbumId} />
      </Card>
    </Page>
  )
}

/** Takes a selfie and goes to the page that the service answers with. */
function SelfieForm({ userAlbumId }: { userAlbumId: string }) {
  const missing = useId()
  const router = useRouter()
  const field = useRef<HTMLFieldSetElement>(null)
  const [selfies, setSelfies] = useState<readonly File[]>([])
  const [selfie] = selfies
  const [isMissing, setIsMissing] = useState(false)
  const { client } = trpc.useUtils()
  // Not a GET call, which would have the owner key in its address.
  const { data: entered } = useQuery({
    queryKey: ['ownedAlbum', userAlbumId],
    queryFn: () => client.albums.enterAsOwner.mutate({ ownerKey: userAlbumId }),
  })
  const consent = useConsent(entered?.album)
  const { state: wait, begin, stop } = useRun<Waiting | null>()
  const submission = useMutation({
    mutationFn(photo: File) {
      const { signal, show } = begin()
      return patiently(() => submitSelfie(photo, userAlbumId, consent, signal), { signal, onWait: show })
    },
    onSuccess(path) {
      dismissFailures()
      // The form stays busy until the next page is shown.
      return router.navigate({ href: path })
    },
    onError(error) {
      // The visitor has cancelled, or left the page.
      if (error.name === 'AbortError') return
      consent.learnFrom(error)
      toast({
        title: selfieForm.failed,
        description: serverMessage(error) || selfieForm.notSubmitted,
        tone: 'error',
      })
    },
  })
  // A disabled button loses the focus. After a failure, or when the visitor has cancelled, it is pressed again.
  const { isPending: busy, isError } = submission
  const button = useFocusAfter<HTMLButtonElement>(isError, () => isError)

  function choose(next: readonly File[]) {
    setSelfies(next)
    setIsMissing(false)
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    if (selfie) {
      if (consent.check()) submission.mutate(selfie)
    } else {
      setIsMissing(true)
      field.current?.querySelector<HTMLElement>('[role=button]')?.focus()
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <fieldset ref={field} aria-describedby={isMissing ? missing : undefined} className="min-w-0">
        <legend className="mb-2 font-medium">
          <Sentence
            of={selfieForm.label((text) => <span className="font-normal text-ink-soft">{text}</span>)}
          />
        </legend>
        <SelfiePicker selfies={selfies} most={1} disabled={busy} onChange={choose} />
      </fieldset>
      {isMissing && (
        <p id={missing} role="alert" className="mt-3 flex items-center gap-2 font-medium text-danger">
          <AlertIcon />
          {selfieForm.missing}
        </p>
      )}
      <div className="mt-5">
        <ConsentNote consent={consent} disabled={busy} />
      </div>
      <Button ref={button} type="submit" size="lg" className="mt-5 w-full" busy={busy}>
        {!busy && <SearchIcon />}
        {busy ? selfieForm.processing : selfieForm.find}
      </Button>
      <div role="status">{wait && <SelfieWaitNotice {...wait} onCancel={stop} className="mt-4" />}</div>
      <p className="mt-4 flex items-start gap-2 text-sm text-ink-soft">
        <LockIcon className="mt-0.5 size-4" />
        {selfieForm.onlyUsed}
      </p>
    </form>
  )
}

/** Submits a selfie. Throws RequestFailure.
 *  @returns the page of this site to show next */
async function submitSelfie(selfie: File, userAlbumId: string, consent: Consent, signal: AbortSignal) {
  const form = new FormData()
  // The texts come first: the service reads the body as it arrives.
  form.append('source', 'homepage')
  form.append('userAlbumId', userAlbumId)
  appendConsent(form, consent)
  form.append('photo', await sentSelfie(selfie), selfie.name)
  const { redirectTo } = await postMultipart<SubmitOutput>('/api/submit-photo', form, { signal })
  // Addresses of other sites are refused, and those that run a script.
  const { origin, pathname, search, hash } = new URL(redirectTo, window.location.href)
  if (origin !== window.location.origin) throw new Error('The answer is not an address of this site')
  return pathname + search + hash
}
