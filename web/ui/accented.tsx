import '../accents.css'
import type { ReactNode } from 'react'
import { ACCENTS, type Accent } from '../../src/contract/albums/accents.ts'

/** Gives what is inside the colour of an album. */
export default function Accented({ accent, children }: { accent: Accent; children: ReactNode }) {
  const [light, dark] = ACCENTS[accent] ?? []
  return (
    <div
      data-accent={light && accent}
      style={{ display: 'contents', ...{ '--light': light, '--dark': dark } }}
    >
      {children}
    </div>
  )
}
