import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { PASSWORD_MAX_LENGTH } from '../../../../src/contract/limits.ts'
import { album } from '../../../../src/texts/english/album.ts'
import {
  passwordField as fieldTexts,
  notOpen,
  passwordGate as texts,
} from '../../../../src/texts/english/album-gate.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { albumAddress } from '../../../lib/album-address.ts'
import { failureOf, reasonOf, serverMessage } from '../../../lib/failure.ts'
import { takeFocus } from '../../../lib/focus.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field } from '../../../ui/field.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { InAppNotice } from './in-app-notice.tsx'

export interface PasswordGateProps {
  albumName: string
  displayName: string
  /** The visitor had access and has lost it. */
  hasEnded: boolean
  /** The owner key of this browser is no longer valid. */
  isKeyRefused: boolean
  /** The password in a scan-and-go code that led here. */
  code: string | undefined
  /** Resolves when it is known whether the visitor is in. */
  onEntered: () => Promise<unknown>
}

/** Enters by itself where a scan-and-go code has led here. Otherwise, or when the code is refused, it asks for the password. */
export default function PasswordGate(props: PasswordGateProps) {
  const { albumName, code, onEntered } = props
  const { client } = trpc.useUtils()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['scanned code', albumName, code],
    async queryFn() {
      const input = { albumName, password: code!, byCode: true }
      await client.albums.authenticate.mutate(input).catch(unlessShut)
      await onEntered()
      return null
    },
    enabled: code !== undefined,
    staleTime: 0,
  })
  const status = failureOf(error)?.status ?? 0
  // It is not the password any more, or the organiser has turned codes off.
  const isRefused = status >= 400 && status < 500
  if (code === undefined || isRefused) return <Gate {...props} />
  if (error) return <FailureNotice error={error} title={notOpen.notOpened} onRetry={refetch} />
  // A browser that keeps no cookie is not in.
  if (data === null && !isFetching) return <Gate {...props} code={undefined} />
  return (
    <div role="status">
      <h1 className="sr-only">{album.opening}</h1>
      <Skeleton className="h-80 rounded-xl" />
    </div>
  )
}

/** It was the password, but guests may not come in now: the page says so. */
function unlessShut(error: unknown): void {
  const reason = reasonOf(error)
  if (reason !== 'album_not_open' && reason !== 'album_closed') throw error
}

function Gate({ albumName, displayName, hasEnded, isKeyRefused, code, onEntered }: PasswordGateProps) {
  return (
    <Card aria-labelledby="access-album" className="text-center">
      <div
        aria-hidden="true"
        className="viewfinder mx-auto mb-6 grid size-20 place-items-center text-accent-deep"
      >
        <LockIcon className="size-9 text-ink" />
      </div>
      <h1
        id="access-album"
        // It replaces the page that had the focus.
        ref={hasEnded ? takeFocus : undefined}
        tabIndex={-1}
        className="text-title font-bold outline-none"
      >
        {texts.title}
      </h1>
      <p className="mt-2 text-lg text-ink-soft" dir="auto">
        {displayName}
      </p>
      <div className="mt-6 space-y-6 text-left">
        <InAppNotice address={albumAddress(albumName)} />
        {hasEnded && <Notice title={texts.again}>{texts.hasEnded}</Notice>}
        {isKeyRefused && <Notice title={texts.notOrganiser}>{texts.notOrganiserText}</Notice>}
        {code !== undefined && <Notice title={texts.codeEnded}>{texts.codeEndedText}</Notice>}
        <PasswordForm albumName={albumName} onEntered={onEntered} />
      </div>
      <p className="mt-6 text-sm text-ink-soft">{texts.organisers}</p>
    </Card>
  )
}

function PasswordForm({ albumName, onEntered }: Pick<PasswordGateProps, 'albumName' | 'onEntered'>) {
  const { client } = trpc.useUtils()
  const [isShown, setIsShown] = useState(false)
  const [refused, setRefused] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: (password: string) =>
      client.albums.authenticate.mutate({ albumName, password }).catch(unlessShut),
    async onSuccess(entered) {
      // The button is busy until the album is there.
      await onEntered()
      if (!entered) return
      const description = texts.welcome(entered.album.displayName)
      toast({ title: texts.granted, description, tone: 'success' })
    },
    onError: (error) => refuse(refusal(error)),
  })

  function refuse(said: { title: string; description: string }) {
    setRefused(said.description)
    toast({ ...said, tone: 'error' })
    field.current?.focus()
    field.current?.select()
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsShown(false)
    const password = field.current!.value.trim()
    if (password === '') refuse({ title: texts.missing, description: texts.missingText })
    else if (!isPending) mutate(password)
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-5 pt-1">
      <Field
        ref={field}
        label={texts.label}
        name="password"
        required
        maxLength={PASSWORD_MAX_LENGTH}
        autoComplete="current-password"
        hint={texts.hint}
        error={refused}
        onChange={() => setRefused(undefined)}
        // Edge would add a button of its own.
        className="[&_input::-ms-reveal]:hidden"
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        end={
          <button
            type="button"
            aria-label={isShown ? fieldTexts.hidePassword : fieldTexts.showPassword}
            // The focus stays in the field, and a phone's keyboard stays open.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setIsShown(!isShown)}
            className="min-h-11 min-w-14 rounded-sm px-2.5 text-sm font-semibold text-ink-soft underline decoration-line-strong underline-offset-4 -outline-offset-3 hover:text-ink"
          >
            {isShown ? fieldTexts.hide : fieldTexts.show}
          </button>
        }
      />
      <Button type="submit" size="lg" className="w-full" busy={isPending} disabled={isPending}>
        {texts.enter}
      </Button>
    </form>
  )
}

/** The toast of §8. 'Access denied' is only for an answer about the password. */
function refusal(error: unknown) {
  const message = serverMessage(error)
  const isOurFault = (failureOf(error)?.status ?? 500) >= 500
  return message === null || isOurFault
    ? { title: common.error, description: texts.failed }
    : { title: texts.denied, description: message || texts.invalid }
}
