import { useQuery } from '@tanstack/react-query'
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
import { type Preloadable, usePreload } from '../../../lib/lazy-part.ts'
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
  /** The visitor had access and has lost it. They may have chosen a selfie, which stays chosen. */
  ended: { keepsSelfie: boolean } | null
  /** The owner key of this browser is no longer valid. */
  isKeyRefused: boolean
  /** The password in a scan-and-go code that led here. */
  code: string | undefined
  /** What the visitor sees after they have entered. Its code is loaded meanwhile. */
  next: Preloadable
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

function Gate({ albumName, displayName, ended, isKeyRefused, code, next, onEntered }: PasswordGateProps) {
  usePreload(next)
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
        ref={ended ? takeFocus : undefined}
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
        {ended && (
          <Notice title={texts.again}>
            <span>{texts.hasEnded}</span> {ended.keepsSelfie && <span>{texts.selfieKept}</span>}
          </Notice>
        )}
        {isKeyRefused && <Notice title={texts.notOrganiser}>{texts.notOrganiserText}</Notice>}
        {code !== undefined && <Notice title={texts.codeEnded}>{texts.codeEndedText}</Notice>}
        <PasswordForm albumName={albumName} onEntered={onEntered} />
      </div>
      <p className="mt-6 text-sm text-ink-soft">{texts.organisers}</p>
    </Card>
  )
}

function PasswordForm({ albumName, onEntered }: Pick<PasswordGateProps, 'albumName' | 'onEntered'>) {
  const [password, setPassword] = useState('')
  const [isShown, setIsShown] = useState(false)
  const [refused, setRefused] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  // The button is busy until the album is there.
  const authenticate = trpc.albums.authenticate.useMutation({ onSuccess: onEntered })

  function refuse(said: { title: string; description: string }) {
    setRefused(said.description)
    toast({ ...said, tone: 'error' })
    field.current?.focus()
    field.current?.select()
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsShown(false)
    if (authenticate.isPending) return
    setRefused(undefined)
    const given = password.trim()
    if (given === '') return refuse({ title: texts.missing, description: texts.missingText })
    try {
      const entered = await authenticate.mutateAsync({ albumName, password: given }).catch(unlessShut)
      if (!entered) return void onEntered()
      const description = texts.welcome(entered.album.displayName)
      toast({ title: texts.granted, description, tone: 'success' })
    } catch (error) {
      refuse(refusal(error))
    }
  }

  /** For visitors who copy the password from a printed card. */
  function toggle() {
    const input = field.current!
    const { selectionStart, selectionEnd } = input
    setIsShown(!isShown)
    // When the field's type changes, the browser moves the caret to the start.
    requestAnimationFrame(() => {
      if (document.activeElement === input) input.setSelectionRange(selectionStart, selectionEnd)
    })
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
        {...(refused !== undefined && { error: refused })}
        value={password}
        onChange={(event) => {
          setRefused(undefined)
          setPassword(event.target.value)
        }}
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
            onClick={toggle}
            className="min-h-11 min-w-14 rounded-sm px-2.5 text-sm font-semibold text-ink-soft underline decoration-line-strong underline-offset-4 -outline-offset-3 hover:text-ink"
          >
            {isShown ? fieldTexts.hide : fieldTexts.show}
          </button>
        }
      />
      <Button
        type="submit"
        size="lg"
        className="w-full"
        busy={authenticate.isPending}
        disabled={authenticate.isPending}
      >
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
