import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums.ts'
import { printed as texts } from '../../../../src/texts/english/desk-share.ts'
import { albumAddress } from '../../../lib/album-address.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { codeOf, Drawing } from '../../share/qr-code.tsx'
import { scanAndGoAddress } from './scan-and-go.tsx'
import './printed.css'

type Paper = keyof typeof texts.papers
const PAPERS = Object.keys(texts.papers) as Paper[]
/** Of an album's name, in em. */
const NAME_SIZES = { largest: 3.6, smallest: 0.7, step: 0.1 }

/** Shows and prints a poster or table cards. On this page nothing else is printed. */
export function Printed({ album }: { album: EnteredAlbum }) {
  const [paper, setPaper] = useState<Paper>('poster')
  const sheets = useRef<HTMLDivElement>(null)
  useOnlyPrinted(sheets)
  return (
    <Card aria-labelledby="printed">
      <h2 id="printed" className="text-heading font-semibold">
        {texts.title}
      </h2>
      <p className="mt-1 text-ink-soft">{texts.text}</p>
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
      <div ref={sheets} className="sheets" data-paper={paper}>
        <div className="sheet">
          {(paper === 'cards' ? [1, 2, 3, 4] : [1]).map((place) => (
            <PrintedCard key={place} album={album} isCopy={place > 1} />
          ))}
        </div>
      </div>
      <Button className="mt-5 max-sm:w-full" onClick={() => window.print()}>
        {texts.print}
      </Button>
    </Card>
  )
}

/** @param isCopy the same stands before it */
function PrintedCard({ album, isCopy }: { album: EnteredAlbum; isCopy: boolean }) {
  const { albumName, displayName, albumPassword } = album
  const address = albumAddress(albumName)
  const isAtOnce = album.scanAndGo === 'on'
  const scanned = isAtOnce ? scanAndGoAddress(album) : address
  const code = useMemo(() => codeOf(scanned), [scanned])
  return (
    <div className="printed" aria-hidden={isCopy}>
      <p>{texts.find}</p>
      <FittedName name={displayName} />
      <div className="code">
        <Drawing code={code} />
      </div>
      <ol className="steps">
        {(isAtOnce ? texts.stepsAtOnce : texts.steps).map((step) => (
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

/** A name as large as its box allows, in any script. */
function FittedName({ name }: { name: string }) {
  const box = useRef<HTMLParagraphElement>(null)
  const text = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    function resize(): void {
      if (!box.current || !text.current) return
      const { largest, smallest, step } = NAME_SIZES
      for (let size = largest; size >= smallest; size -= step) {
        text.current.style.fontSize = `${size}em`
        if (text.current.offsetHeight <= box.current.clientHeight) return
      }
    }
    resize()
    void document.fonts.ready.then(resize)
  })
  return (
    <p ref={box} className="name">
      <bdi ref={text}>{name}</bdi>
    </p>
  )
}

/** Marks what the sheets stand in, so that everything else can be left out of a print. The selector that could tell is too young
 *  for some browsers. */
function useOnlyPrinted(sheets: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const around: HTMLElement[] = []
    for (let at = sheets.current!.parentElement; at; at = at.parentElement) around.push(at)
    for (const element of around) element.dataset.aroundSheets = ''
    return () => {
      for (const element of around) delete element.dataset.aroundSheets
    }
  }, [sheets])
}
