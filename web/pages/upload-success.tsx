import { Link, Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { ownerLink } from '../../src/contract/albums/owner-link.ts'
import { copyLine } from '../../src/texts/english/copy-line.ts'
import { logOut } from '../../src/texts/english/organiser.ts'
import { uploadSuccess as texts, upload } from '../../src/texts/english/upload.ts'
import * as common from '../../src/texts/english/words.ts'
import { SeeAllLink } from '../features/album/browse/browse-link.tsx'
import { ReasonList } from '../features/photos/reason-list.tsx'
import { whyFull } from '../features/upload/outcome.ts'
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

export default function UploadSuccessPage() {
  const [record] = useState(() => KEPT.uploadRecord.read())
  // The record is read once: a reload of this page leads home.
  useEffect(() => KEPT.uploadRecord.forget(), [])
  if (!record) return <Navigate to="/" replace />

  const isGone = record.stopped?.reason === 'gone'
  // The key may be one that is no longer valid.
  const isLost = isGone || record.stopped?.reason === 'forbidden'
  return (
    <Page width="read">
      <Heading record={record} isGone={isGone} />
      <div className="space-y-6">
        <Missing record={record} />
        <Blocked record={record} />
        {record.albumSlug && !isGone && <AlbumAddress slug={record.albumSlug} />}
        {record.albumSlug && !isLost && <PrivateLink slug={record.albumSlug} />}
        {!record.alreadyThere && !isGone && <WhatHappensNext />}
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

/** Promises a letter only when one will come: for new photos, in an album that still exists. */
function Heading({ record, isGone }: { record: UploadRecord; isGone: boolean }) {
  const { photoCount, thereBefore, alreadyThere, notStored, blocked, albumName, email } = record
  const isAllSent = notStored.length + blocked.length === 0
  const strong = (text: string) => <strong className="font-semibold text-ink">{text}</strong>
  const said = isGone
    ? texts.reached(photoCount, albumName, strong)
    : alreadyThere
      ? texts.nothingNew(photoCount, albumName, strong)
      : texts.processing(photoCount - thereBefore, albumName, email, strong)
  const subtitle = (
    <>
      <Sentence of={said} />
      {!isGone && !alreadyThere && thereBefore > 0 && ` ${texts.thereBefore(thereBefore)}`}
      {!isGone && !alreadyThere && isAllSent && ` ${texts.allSent}`}
    </>
  )
  const title = alreadyThere && !isGone ? texts.alreadyThere : texts.started
  return <PageHeading centred title={title} subtitle={subtitle} />
}

/** The photos that are not in the album: how many, which, why, and what to do. */
function Missing({
  record: { albumSlug, stopped, notStored, notStoredCount: count },
}: {
  record: UploadRecord
}) {
  if (notStored.length === 0) return null
  const full = whyFull(notStored)
  const needsAnother = full !== undefined || (stopped && stopped.reason !== 'busy')
  const wayOn = needsAnother
    ? ({ to: '/get-started' } as const)
    : ({ to: '/bulk-upload', search: albumSlug ? { album: albumSlug } : {} } as const)
  return (
    <Notice title={upload.missing(count)}>
      {stopped?.message ?? (full && `${full}.`)}
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

/** The chosen files that were not sent at all, with their names. */
function Blocked({ record: { blocked, blockedCount: count } }: { record: UploadRecord }) {
  if (blocked.length === 0) return null
  return (
    <Notice title={texts.blocked(count)}>
      {texts.blockedText}
      <ReasonList files={blocked} count={count} areAnyFiles />
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

function AlbumAddress({ slug: albumName }: { slug: string }) {
  const look = `${buttonLook('secondary')} max-sm:w-full`
  return (
    <CopyCard
      title={texts.address}
      text={texts.addressText}
      icon={<LinkIcon />}
      name={copyLine.link}
      value={albumAddress(albumName)}
    >
      <div className="mt-4 flex flex-wrap gap-3">
        <Link to="/album/$albumName" params={{ albumName }} className={look}>
          {texts.watchProgress}
        </Link>
        <SeeAllLink albumName={albumName} />
        <Link to="/manage/$albumName/{-$section}" params={{ albumName }} className={look}>
          {texts.manage}
        </Link>
      </div>
    </CopyCard>
  )
}

/** Nobody else can show it again: the service stores only a hash of the key. */
function PrivateLink({ slug }: { slug: string }) {
  const [own] = useState(() => readOrganiser(slug))
  if (!own) return null
  const value = location.origin + ownerLink(slug, own.userAlbumId)
  return <CopyCard title={texts.keepLink} text={texts.keepLinkText} name={logOut.privateLink} value={value} />
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
