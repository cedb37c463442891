import type { ReactNode } from 'react'
import { facesEnded as texts } from '../../../../src/texts/english/faces-ended.ts'
import { formatDate } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'

/** In place of the search, when the faces of the album are gone. */
export default function FacesEnded({ since, children }: { since: string; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-read space-y-6">
      <Notice title={texts.title}>{texts.text(formatDate(since))}</Notice>
      {children}
    </div>
  )
}
