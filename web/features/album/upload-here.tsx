import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
  /** What else the owner may do, beside the link. */
  children?: ReactNode
}

/** Leads an album's owner to its upload page, or says why this browser cannot upload to it. */
export function UploadHere({ albumName, keptKey, text, label, children }: UploadHereProps) {
  const hasKey = keptKey === 'kept' || keptKey === 'asking'
  return (
    <>
      <p>{hasKey ? text : keptKey === 'none' ? texts.otherBrowser : texts.notKept}</p>
      {(hasKey || children) && (
        <div className="mt-4 flex flex-wrap gap-3">
          {keptKey === 'asking' && (
            <Button className="max-sm:w-full" disabled>
              {label}
            </Button>
          )}
          {keptKey === 'kept' && (
            <Link to="/bulk-upload" search={{ album: albumName }} className={`${buttonLook()} max-sm:w-full`}>
              {label}
            </Link>
          )}
          {children}
        </div>
      )}
    </>
  )
}
