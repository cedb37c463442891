import { Link } from '@tanstack/react-router'
import { uploadHere as texts } from '../../../src/texts/english.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import type { KeptKey } from './keep-key.ts'

export interface UploadHereProps {
  albumName: string
  keptKey: KeptKey
  text: string
  /** Of the link. */
  label: string
}

/** Leads an album's owner to its upload page, or says why this browser cannot upload to it. */
export function UploadHere({ albumName, keptKey, text, label }: UploadHereProps) {
  if (keptKey === 'none') return <p>{texts.otherBrowser}</p>
  if (keptKey === 'not-kept') return <p>{texts.notKept}</p>
  return (
    <>
      <p>{text}</p>
      {keptKey === 'asking' ? (
        <Button className="mt-4" disabled>
          {label}
        </Button>
      ) : (
        <Link to="/bulk-upload" search={{ album: albumName }} className={`${buttonLook()} mt-4`}>
          {label}
        </Link>
      )}
    </>
  )
}
