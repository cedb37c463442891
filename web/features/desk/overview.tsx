import { Link } from '@tanstack/react-router'
import { desk as texts } from '../../../src/texts/english/desk.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Card } from '../../ui/card.tsx'
import { UploadHere } from '../own-albums/upload-here.tsx'
import type { SectionProps } from './sections.ts'

/** The first page of the desk: how the album is doing, and the ways to it. */
export default function Overview({ album }: SectionProps) {
  const { albumName } = album
  const look = `${buttonLook('secondary')} max-sm:w-full`
  return (
    <Card>
      <UploadHere album={album} text={texts.addText} label={texts.add}>
        <Link to="/album/$albumName" params={{ albumName }} search={{ photos: 'all' }} className={look}>
          {texts.seeAll}
        </Link>
        <Link to="/album/$albumName" params={{ albumName }} className={look}>
          {texts.album}
        </Link>
      </UploadHere>
    </Card>
  )
}
