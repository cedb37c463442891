import { Link, Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { ReasonList } from '../features/photos/reason-list.tsx'
import { countOf } from '../lib/format.ts'
import { usePageHead } from '../lib/page-head.ts'
import { forgetUploadRecord, readUploadRecord } from '../lib/saved-values.ts'
import { buttonLook } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CloudIcon, FaceIcon, MailIcon, SearchIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'

const NEXT: { icon: ReactNode; title: string; text: string }[] = [
  { icon: <CloudIcon />, title: 'Secure cloud storage', text: 'Your photos are stored safely.' },
  { icon: <FaceIcon />, title: 'AI face indexing', text: 'Every photo is scanned for faces.' },
  {
    icon: <SearchIcon />,
    title: 'Album ready for friends to search',
    text: 'Anyone with the link and password can find themselves.',
  },
  { icon: <MailIcon />, title: 'Email with album link', text: 'You get the link and the password to share.' },
]

export default function UploadSuccessPage() {
  usePageHead(PAGES.uploadSuccess)
  const [record] = useState(readUploadRecord)
  // Once read it is gone: a reload of this page goes home.
  useEffect(forgetUploadRecord, [])
  if (!record) return <Navigate to="/" replace />

  const { photoCount, email, albumName, notStored = [] } = record
  return (
    <Page width="read">
      <PageHeading
        centred
        title="Upload Started Successfully!"
        subtitle={
          <>
            <strong className="font-semibold text-ink">{countOf(photoCount, 'photo')}</strong>{' '}
            {photoCount === 1 ? 'is' : 'are'} being processed for{' '}
            <strong className="font-semibold text-ink">{albumName}</strong>. We will notify you at{' '}
            <strong className="font-semibold text-ink">{email}</strong>.
          </>
        }
      />
      {notStored.length > 0 && (
        <Notice className="mb-6">
          <ReasonList files={notStored} />
          <Link to="/bulk-upload" className="mt-3 inline-block font-semibold underline underline-offset-4">
            Upload more photos to this album
          </Link>
        </Notice>
      )}
      <Card>
        <h2 className="text-heading font-semibold">What happens next</h2>
        <ol className="mt-5 space-y-5">
          {NEXT.map(({ icon, title, text }) => (
            <li key={title} className="flex gap-4">
              <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-wash">
                {icon}
              </span>
              <div>
                <p className="font-medium">{title}</p>
                <p className="text-ink-soft">{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <p className="mt-6 border-t border-line pt-5 text-ink-soft">
          Processing may take minutes to a few hours. Albums of 1000+ photos may take several hours. You can
          close this page.
        </p>
      </Card>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/" className={buttonLook('secondary')}>
          Back to Home
        </Link>
        <Link to="/get-started" className={buttonLook('primary')}>
          Create Another Album
        </Link>
      </div>
    </Page>
  )
}
