import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { selfie as texts } from '../../src/texts/english/submissions.ts'
import { LibraryLink } from '../features/selfie/library-link.tsx'
import { SelfieForm } from '../features/selfie/selfie-form.tsx'
import { readOrganiser } from '../lib/own-albums.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'

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
      <SelfieForm userAlbumId={organiser.userAlbumId} />
    </Page>
  )
}
