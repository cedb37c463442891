import { Link, Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { ownerLink } from '../../src/contract/albums/owner-link.ts'
import { copyLine } from '../../src/texts/english/copy-line.ts'
import { logOut } from '../../src/texts/english/organiser.ts'
import { uploadSuccess as texts } from '../../src/texts/english/upload.ts'
import * as common from '../../src/texts/english/words.ts'
import { SeeAllLink } from '../features/album/browse/browse-link.tsx'
import { ReasonList } from '../features/photos/reason-list.tsx'
import { albumAddress } from '../lib/album-address.ts'
import { readOrganiser } from '../lib/own-albums.ts'
import { KEPT, type UploadRecord } from '../lib/persisted.ts'
import { LinkIcon, MailIcon } from '../ui/action-icons.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { Card } from '../ui/card.tsx'
import { CopyLine, type CopyLineProps } from '../ui/copy-line.tsx'
import { FaceIcon } from '../ui/icons.tsx'
import { CloudIcon, SearchIcon } from '../ui/more-icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'

const NEXT: { icon: ReactNode; title: string; text: string }[] = [
  { icon: <CloudIcon />, title: texts.storage, text: texts.storageText },
  { icon: <FaceIcon />, title: texts.indexing, text: texts.indexingText },
  { icon: <SearchIcon />, title: texts.ready, text: texts.readyText },
  { icon: <MailIcon />, title: texts.letter, text: texts.letterText },
]

const LINK_LOOK = `${buttonLook('secondary')} max-sm:w-full`

export default function UploadSuccessPage() {
  const [record] = useState(() => KEPT.uploadRecord.read())
  // The record is read once: a reload of this page leads home.
  useEffect(() => KEPT.uploadRecord.forget(), [])
  const [own] = useState(() => record?.albumSlug && readOrganiser(record.albumSlug))
  if (!record) return <Navigate to="/" replace />

  const { albumSlug: albumName, photoCount, thereBefore, stopped, notStored } = record
  const hasNew = photoCount > thereBefore
  const strong = (text: string) => <strong className="font-semibold text-ink">{text}</strong>
  return (
    <Page width="read">
      {/* It promises a letter only when one will come: for new photos. */}
      <PageHeading
        centred
        title={hasNew ? texts.started : texts.alreadyThere}
        subtitle={
          hasNew ? (
            <>
              <Sentence
                of={texts.processing(photoCount - thereBefore, record.albumName, record.email, strong)}
              />
              {thereBefore > 0 && ` ${texts.thereBefore(thereBefore)}`}
              {notStored.length === 0 && ` ${texts.allSent}`}
            </>
          ) : (
            <Sentence of={texts.nothingNew(photoCount, record.albumName, strong)} />
          )
        }
      />
      <div className="space-y-6">
        <Missing {...record} />
        {albumName && (
          <CopyCard
            title={texts.address}
            text={texts.addressText}
            icon={<LinkIcon />}
            name={copyLine.link}
            value={albumAddress(albumName)}
          >
            <div className="mt-4 flex flex-wrap gap-3">
              <Link to="/album/$albumName" params={{ albumName }} className={LINK_LOOK}>
                {texts.watchProgress}
              </Link>
              <SeeAllLink albumName={albumName} />
              <Link to="/manage/$albumName/{-$section}" params={{ albumName }} className={LINK_LOOK}>
                {texts.manage}
              </Link>
            </div>
          </CopyCard>
        )}
        {/* Nobody else can show it again: the service stores only a hash of the key. */}
        {albumName && own && stopped?.reason !== 'lost' && (
          <CopyCard
            title={texts.keepLink}
            text={texts.keepLinkText}
            name={logOut.privateLink}
            value={location.origin + ownerLink(albumName, own.userAlbumId)}
          />
        )}
        {hasNew && <WhatHappensNext />}
      </div>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/" className={buttonLook('secondary')}>
          {common.backToHome}
        </Link>
        <Link to="/get-started" className={buttonLook('primary')}>
          {texts.createAnother}
        </Link>
      </div>
    </Page>
  )
}

/** The files that are not in the album: how many, which, why, and what to do. */
function Missing({ albumSlug, stopped, notStored, notStoredCount: count }: UploadRecord) {
  if (count === 0) return null
  const needsAnother = stopped && stopped.reason !== 'busy'
  const wayOn = needsAnother
    ? ({ to: '/get-started' } as const)
    : ({ to: '/bulk-upload', search: albumSlug ? { album: albumSlug } : {} } as const)
  return (
    <Notice title={texts.missing(count)}>
      {stopped && <p>{stopped.message}</p>}
      <ReasonList files={notStored} count={count} />
      <Link
        {...wayOn}
        className="mt-3 inline-flex min-h-11 items-center font-semibold text-ink underline underline-offset-4"
      >
        {needsAnother ? texts.createNew : texts.uploadMore}
      </Link>
    </Notice>
  )
}

interface CopyCardProps extends CopyLineProps {
  title: string
  text: string
  children?: ReactNode
}

function CopyCard({ title, text, children, ...line }: CopyCardProps) {
  const id = useId()
  return (
    <Card aria-labelledby={id}>
      <h2 id={id} className="text-heading font-semibold">
        {title}
      </h2>
      <p className="mt-1 text-ink-soft">{text}</p>
      <CopyLine {...line} />
      {children}
    </Card>
  )
}

function WhatHappensNext() {
  return (
    <Card>
      <h2 className="text-heading font-semibold">{texts.next}</h2>
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
      <p className="mt-6 border-t border-line pt-5 text-ink-soft">{texts.nextText}</p>
    </Card>
  )
}
