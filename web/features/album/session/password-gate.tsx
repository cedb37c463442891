import { type ComponentProps, type SubmitEvent, useRef, useState } from 'react'
import { PASSWORD_MAX_LENGTH } from '../../../../src/contract/limits.ts'
import {
  passwordField as fieldTexts,
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
import { LockIcon } from '../../../ui/more-icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type ToastContent, toast } from '../../../ui/toast-store.ts'
import { InAppNotice } from './in-app-notice.tsx'
import { ScannedCode } from './scanned-code.tsx'

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
  onEntered: () => void
}

/** Enters by itself where a code has led here. Otherwise, or when the code is refused, it asks for the password. */
export default function PasswordGate(props: PasswordGateProps) {
  const { albumName, code, onEntered } = props
  const [refused, setRefused] = useState<string>()
  return code === undefined || code === refused ? (
    <Gate {...props} />
  ) : (
    <ScannedCode
      albumName={albumName}
      password={code}
      onEntered={onEntered}
      onRefused={() => setRefused(code)}
    />
  )
}

function Gate(props: PasswordGateProps) {
  const { albumName, displayName, ended, isKeyRefused, code, next, onEntered } = props
  usePreload(next)
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const [refused, setRefused] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const authenticate = trpc.albums.authenticate.useMutation()

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setShown(false)
    if (authenticate.isPending) return
    setRefused(undefined)
    if (password.trim() === '') {
      setRefused(texts.missingText)
      toast({ title: texts.missing, description: texts.missingText, tone: 'error' })
      field.current?.focus()
      return
    }
    try {
      const { album } = await authenticate.mutateAsync({ albumName, password: password.trim() })
      toast({ title: texts.granted, description: texts.welcome(album.displayName), tone: 'success' })
      onEntered()
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === 'album_not_open' || reason === 'album_closed') return onEntered()
      const said = refusal(error)
      setRefused(said.description)
      toast(said)
      field.current?.focus()
      field.current?.select()
    }
  }

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
      <InAppNotice address={albumAddress(albumName)} className="mt-6 text-left" />
      {ended && (
        <Notice className="mt-6 text-left" title={texts.again}>
          <span>{texts.hasEnded}</span> {ended.keepsSelfie && <span>{texts.selfieKept}</span>}
        </Notice>
      )}
      {isKeyRefused && (
        <Notice className="mt-6 text-left" title={texts.notOrganiser}>
          {texts.notOrganiserText}
        </Notice>
      )}
      {code !== undefined && (
        <Notice className="mt-6 text-left" title={texts.codeEnded}>
          {texts.codeEndedText}
        </Notice>
      )}
      <form onSubmit={submit} noValidate className="mt-7 space-y-5 text-left">
        <PasswordField
          ref={field}
          shown={shown}
          onShow={setShown}
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
      <p className="mt-6 text-sm text-ink-soft">{texts.organisers}</p>
    </Card>
  )
}

/** The toast of §8. 'Access denied' is only for an answer about the password. */
function refusal(error: unknown): ToastContent {
  const message = serverMessage(error)
  const isOurFault = (failureOf(error)?.status ?? 500) >= 500
  return message === null || isOurFault
    ? { title: common.error, description: texts.failed, tone: 'error' }
    : { title: texts.denied, description: message || texts.invalid, tone: 'error' }
}

interface PasswordFieldProps
  extends Omit<ComponentProps<typeof Field>, 'type' | 'end' | 'ref' | 'className'> {
  ref: { current: HTMLInputElement | null }
  shown: boolean
  onShow: (shown: boolean) => void
}

/** A password field whose text can be shown, for visitors who copy the password from a printed card. */
function PasswordField({ ref, shown, onShow, ...field }: PasswordFieldProps) {
  function toggle() {
    const input = ref.current!
    const { selectionStart, selectionEnd } = input
    onShow(!shown)
    // When the field's type changes, the browser moves the caret to the start.
    requestAnimationFrame(() => {
      if (document.activeElement === input) input.setSelectionRange(selectionStart, selectionEnd)
    })
  }

  return (
    <Field
      {...field}
      ref={ref}
      // Edge would add a button of its own.
      className="[&_input::-ms-reveal]:hidden"
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <button
          type="button"
          aria-label={shown ? fieldTexts.hidePassword : fieldTexts.showPassword}
          // The focus stays in the field, and a phone's keyboard stays open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
          className="min-h-11 min-w-14 rounded-sm px-2.5 text-sm font-semibold text-ink-soft underline decoration-line-strong underline-offset-4 -outline-offset-3 hover:text-ink"
        >
          {shown ? fieldTexts.hide : fieldTexts.show}
        </button>
      }
    />
  )
}
