import { useMemo, useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { printed as texts } from '../../../../src/texts/english/desk/desk-share.ts'
import { albumAddress } from '../../../lib/album-address.ts'
import { Button } from '../../../ui/button.tsx'
import { codeOf, Drawing } from '../../share/qr-code.tsx'
import { DeskCard } from '../desk-card.tsx'
import { scanAndGoAddress } from './scan-and-go.tsx'
import './printed.css'

type Paper = keyof typeof texts.papers
const PAPERS = Object.keys(texts.papers) as Paper[]
/** Of an album's name, in em. */
const NAME_SIZES = { largest: 3.6, smallest: 0.7, step: 0.1 }

/** Shows and prints a poster or table cards. On this page nothing else is printed. */
export function Printed({ album }: { album: EnteredAlbum }) {
  const [paper, setPaper] = useState<Paper>('poster')
  return (
    <DeskCard title={texts.title} text={texts.text}>
      <fieldset className="mt-4">
        <legend className="sr-only">{texts.paper}</legend>
        {PAPERS.map((one) => (
          <label key={one} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="paper"
              checked={paper === one}
              onChange={() => setPaper(one)}
              className="size-5 accent-accent"
            />
            {texts.papers[one]}
          </label>
        ))}
      </fieldset>
      <div ref={printOnly} className="sheets" data-paper={paper}>
        <div className="sheet">
          {(paper === 'cards' ? [1, 2, 3, 4] : [1]).map((place) => (
            <PrintedCard key={place} album={album} isCopy={place > 1} />
          ))}
        </div>
      </div>
      <Button className="mt-5 max-sm:w-full" onClick={() => window.print()}>
        {texts.print}
      </Button>
    </DeskCard>
  )
}

/** @param isCopy the same stands before it */
function PrintedCard({ album, isCopy }: { album: EnteredAlbum; isCopy: boolean }) {
  const { albumName, displayName, albumPassword } = album
  const address = albumAddress(albumName)
  const byParents = album.forChildren === 'on'
  const scanned = album.scanAndGo === 'on' ? scanAndGoAddress(album) : address
  const code = useMemo(() => codeOf(scanned), [scanned])
  return (
    <div className="printed" aria-hidden={isCopy}>
      <p>{byParents ? texts.findChild : texts.find}</p>
      <FittedName name={displayName} />
      <div className="code">
        <Drawing code={code} />
      </div>
      <ol className="steps">
        {texts[stepsOf(album)].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="address">{address.replace(/^https:\/\//, '')}</p>
      <p>
        {texts.password} <strong className="password">{albumPassword}</strong>
      </p>
      <p className="faces">{texts.faces}</p>
    </div>
  )
}

function stepsOf({ forChildren, scanAndGo }: EnteredAlbum) {
  if (forChildren === 'on') return scanAndGo === 'on' ? 'stepsOfParentsAtOnce' : 'stepsOfParents'
  return scanAndGo === 'on' ? 'stepsAtOnce' : 'steps'
}

/** A name as large as its box allows, in any script. */
function FittedName({ name }: { name: string }) {
  return (
    <p className="name">
      {/* Another function each time, so that React calls it after each drawing. */}
      <bdi
        ref={(text) => {
          if (!text) return
          fitInto(text.parentElement!, text)
          void document.fonts.ready.then(() => text.parentElement && fitInto(text.parentElement, text))
        }}
      >
        {name}
      </bdi>
    </p>
  )
}

function fitInto(box: HTMLElement, text: HTMLElement): void {
  const { largest, smallest, step } = NAME_SIZES
  for (let size = largest; size >= smallest; size -= step) {
    text.style.fontSize = `${size}em`
    if (text.offsetHeight <= box.clientHeight) return
  }
}

/** A ref that marks what the sheets stand in, so that everything else can be left out of a print. The selector that could tell is
 *  too young for some browsers.
 *  @returns takes the marks away */
function printOnly(sheets: HTMLElement | null): () => void {
  const around: HTMLElement[] = []
  for (let at = sheets!.parentElement; at; at = at.parentElement) around.push(at)
  for (const element of around) element.dataset.aroundSheets = ''
  return () => {
    for (const element of around) delete element.dataset.aroundSheets
  }
}
