import { Link } from '@tanstack/react-router'
import { desk as texts } from '../../../src/texts/english/desk.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Card } from '../../ui/card.tsx'
import type { SectionProps } from './sections.ts'

/** The first page of the desk: how the album is doing, and the ways to it. */
export default function Overview({ album: { albumName } }: SectionProps) {
  return (
    <Card>
      <div className="flex flex-wrap gap-3">
        <Link to="/bulk-upload" search={{ album: albumName }} className={`${buttonLook()} max-sm:w-full`}>
          {texts.add}
        </Link>
        <Link
          to="/album/$albumName"
          params={{ albumName }}
          className={`${buttonLook('secondary')} max-sm:w-full`}
        >
          {texts.album}
        </Link>
      </div>
    </Card>
  )
}
