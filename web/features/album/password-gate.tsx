import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { PASSWORD_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { albumAddress } from '../../lib/album-address.ts'
import { failureOf, serverMessage } from '../../lib/failure.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LockIcon } from '../../ui/more-icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type ToastContent, toast } from '../../ui/toast-store.ts'
import { InAppNotice } from './in-app-notice.tsx'
import { PasswordField } from './password-field.tsx'

export interface PasswordGateProps {
  albumName: string
  displayName: string
  /** The visitor had access and has lost it. */
  hasEnded: boolean
  /** The owner key of this browser is no longer valid. */
  isKeyRefused: boolean
  /** Whether the visitor has chosen a selfie, which stays chosen. */
  keepsSelfie: boolean
  onEntered: () => void
}

export function PasswordGate(props: PasswordGateProps) {
  const { albumName, displayName, hasEnded, isKeyRefused, keepsSelfie, onEntered } = props
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // The page that had the focus has been replaced, so the focus moves to the heading.
  useEffect(() => {
    if (hasEnded) heading.current?.focus()
  }, [hasEnded])
  const authenticate = trpc.albums.authenticate.useMutation()

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setShown(false)
    if (authenticate.isPending) return
    if (password.trim() === '') {
      toast({ title: 'Missing information', description: 'Please enter the album password', tone: 'error' })
      field.current?.focus()
      return
    }
    try {
      const { album } = await authenticate.mutateAsync({ albumName, password: password.trim() })
      toast({ title: 'Access granted!', description: `Welcome to ${album.displayName}`, tone: 'success' })
      onEntered()
    } catch (error) {
      toast(refusal(error))
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
      <h1 id="access-album" ref={heading} tabIndex={-1} className="text-title font-bold outline-none">
        Access Album
      </h1>
      <p className="mt-2 text-lg text-ink-soft" dir="auto">
        {displayName}
      </p>
      <InAppNotice address={albumAddress(albumName)} className="mt-6 text-left" />
      {hasEnded && (
        <Notice className="mt-6 text-left" title="Please enter the password again">
          Your access to this album has ended. Its owner may have changed the password, or you have logged out
          in another tab.
          {keepsSelfie && ' Your selfie is still here.'}
        </Notice>
      )}
      {isKeyRefused && (
        <Notice className="mt-6 text-left" title="You are no longer the organiser here">
          This album has a new owner key. With the new private link you are its organiser again. With the
          password you enter as a guest.
        </Notice>
      )}
      <form onSubmit={submit} noValidate className="mt-7 space-y-5 text-left">
        <PasswordField
          ref={field}
          shown={shown}
          onShow={setShown}
          label="Album password"
          name="password"
          required
          maxLength={PASSWORD_MAX_LENGTH}
          autoComplete="current-password"
          hint="No password? Please contact the album owner."
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button
          type="submit"
          size="lg"
          className="w-full"
          busy={authenticate.isPending}
          disabled={authenticate.isPending}
        >
          Access Album
        </Button>
      </form>
    </Card>
  )
}

/** The toast of §8. 'Access denied' is only for an answer about the password. */
function refusal(error: unknown): ToastContent {
  const message = serverMessage(error)
  const isOurFault = (failureOf(error)?.status ?? 500) >= 500
  return message === null || isOurFault
    ? { title: 'Error', description: 'Failed to authenticate. Please try again.', tone: 'error' }
    : { title: 'Access denied', description: message || 'Invalid password', tone: 'error' }
}
