import { Link, useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { ALBUM_NAME_MAX_LENGTH, EMAIL_MAX_LENGTH } from '../../src/contract/limits.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { serverMessage } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { saveOrganiser } from '../lib/saved-values.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { toast } from '../ui/toast-store.ts'

export default function GetStartedPage() {
  usePageHead(PAGES.getStarted)
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const [albumName, setAlbumName] = useState('')
  const calls = trpc.useUtils()
  const create = trpc.albums.create.useMutation({ onSuccess: () => calls.albums.list.invalidate() })
  const incomplete = email.trim() === '' || albumName.trim() === ''

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (incomplete || create.isPending) return
    try {
      const { userAlbum } = await create.mutateAsync({ email, albumName, displayName: albumName })
      saveOrganiser({
        userEmail: email.trim(),
        eventName: albumName.trim(),
        userAlbumId: userAlbum.id,
        userAlbumSlug: userAlbum.albumName,
      })
    } catch (error) {
      console.error(serverMessage(error) ?? 'Failed to create album', error)
      toast({ title: 'Error', description: 'Failed to set up album. Please try again.', tone: 'error' })
      return
    }
    toast({ title: 'Success', description: 'Album setup completed successfully!', tone: 'success' })
    await navigate({ to: '/bulk-upload' })
  }

  return (
    <Page width="form">
      <PageHeading title="Get Started" subtitle="Set up your album." />
      <Card aria-labelledby="your-information">
        <h2 id="your-information" className="text-heading font-semibold">
          Your Information
        </h2>
        <form onSubmit={submit} className="mt-5 space-y-5">
          <Field
            label="Email Address"
            type="email"
            name="email"
            required
            maxLength={EMAIL_MAX_LENGTH}
            autoComplete="email"
            placeholder="Enter your email"
            hint="We send the album's link and password here."
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Field
            label="Album Name"
            type="text"
            name="albumName"
            required
            maxLength={ALBUM_NAME_MAX_LENGTH}
            autoComplete="off"
            placeholder="My Summer Wedding, 2025"
            value={albumName}
            onChange={(event) => setAlbumName(event.target.value)}
          />
          <Button
            type="submit"
            size="lg"
            className="w-full"
            busy={create.isPending}
            disabled={incomplete || create.isPending}
          >
            {create.isPending ? 'Getting Started...' : 'Continue to Photo Upload'}
          </Button>
        </form>
      </Card>
      <p className="mt-6 text-center">
        <Link
          to="/"
          className="inline-flex min-h-11 items-center text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink"
        >
          Back to Home
        </Link>
      </p>
    </Page>
  )
}
