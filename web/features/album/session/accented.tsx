import '../../../accents.css'
import type { ReactNode } from 'react'
import type { Accent } from '../../../../src/contract/accents.ts'

/** What has the colour of an album. */
export default function Accented({ accent, children }: { accent: Accent; children: ReactNode }) {
  return (
    <div data-accent={accent} style={{ display: 'contents' }}>
      {children}
    </div>
  )
}
