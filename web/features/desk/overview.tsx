import { Link } from '@tanstack/react-router'
import { desk as texts } from '../../../src/texts/english/desk/desk.ts'
import { formatDate } from '../../lib/format.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UploadHere } from '../own-albums/upload-here.tsx'
import type { SectionProps } from './sections.ts'
import Ledger from './state/ledger.tsx'

/** The first page of the desk: how the album is doing, and the ways to it. */
export default function Overview(props: SectionProps) {
  const { album, progress } = props
  const { albumName } = album
  return (
    <>
      <Card className="mb-6">
        <UploadHere album={album} text={texts.addText} label={texts.add}>
          <Link
            to="/album/$albumName"
            params={{ albumName }}
            className={`${buttonLook('secondary')} max-sm:w-full`}
          >
            {texts.album}
          </Link>
        </UploadHere>
      </Card>
      {progress.facesEndedAt && (
        <Notice className="mb-6" title={texts.facesEnded(formatDate(progress.facesEndedAt))}>
          {texts.facesEndedText}
        </Notice>
      )}
      <Ledger {...props} />
    </>
  )
}
