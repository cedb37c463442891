import { useState } from 'react'
import { optOut as texts } from '../../../src/texts/english/opt-outs.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** In place of the dialog "Take me out", when the search does not show who is asking. */
export function NewSelfieNeeded({ onSearchAgain }: { onSearchAgain: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div>
      <div className="flex justify-center">
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {texts.title}
        </Button>
      </div>
      <div role="status">
        {isOpen && (
          <Notice title={texts.newSelfie} className="mx-auto mt-4 max-w-read">
            <p>{texts.newSelfieText}</p>
            <Button look="secondary" className="mt-3 max-sm:w-full" onClick={onSearchAgain}>
              {texts.newSelfie}
            </Button>
          </Notice>
        )}
      </div>
    </div>
  )
}
