import { type SubmitEvent, useState } from 'react'
import { PASSWORD_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { serverMessage, trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { LockIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast-store.ts'

export interface PasswordGateProps {
  albumName: string
  displayName: string
  onEntered: () => void
}

export function PasswordGate({ albumName, displayName, onEntered }: PasswordGateProps) {
  const [password, setPassword] = useState('')
  const authenticate = trpc.albums.authenticate.useMutation()

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (authenticate.isPending) return
    if (password.trim() === '') {
      toast({ title: 'Missing information', description: 'Please enter the album password', tone: 'error' })
      return
    }
    try {
      const { album } = await authenticate.mutateAsync({ albumName, password: password.trim() })
      toast({ title: 'Access granted!', description: `Welcome to ${album.displayName}`, tone: 'success' })
      onEntered()
    } catch (error) {
      const message = serverMessage(error)
      toast(
        message === null
          ? { title: 'Error', description: 'Failed to authenticate. Please try again.', tone: 'error' }
          : { title: 'Access denied', description: message || 'Invalid password', tone: 'error' },
      )
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
      <h1 id="access-album" className="text-title font-bold">
        Access Album
      </h1>
      <p className="mt-2 text-lg text-ink-soft">{displayName}</p>
      <form onSubmit={submit} noValidate className="mt-7 space-y-5 text-left">
        <Field
          label="Album password"
          type="password"
          name="password"
          required
          maxLength={PASSWORD_MAX_LENGTH}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
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
