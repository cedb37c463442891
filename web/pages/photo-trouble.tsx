import { Link } from '@tanstack/react-router'
import { Suspense, use, useState } from 'react'
import { photoTrouble as texts } from '../../src/texts/english/trouble.ts'
import * as common from '../../src/texts/english/words.ts'
import { NO_ANSWER, readAnswer } from '../lib/failure.ts'
import { PhotosIcon } from '../ui/action-icons.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { MessagePage } from '../ui/page.tsx'

/** Shown instead of a photo whose address has expired, or that is not available for another reason. */
export default function PhotoTroublePage() {
  const [reason] = useState(() => reasonAt(window.location.href).catch(() => NO_ANSWER))
  return (
    <MessagePage
      icon={<PhotosIcon className="size-10" />}
      title={texts.title}
      action={
        <>
          {/* The page's own address is the photo's: the browser requests the photo again. */}
          <a href={window.location.href} className={buttonLook('secondary')}>
            {common.tryAgain}
          </a>
          <Link to="/albums" className={buttonLook('primary')}>
            {texts.browse}
          </Link>
        </>
      }
    >
      <p role="status" className="min-h-[2lh]">
        <Suspense>
          <Answer reason={reason} />
        </Suspense>
      </p>
    </MessagePage>
  )
}

const Answer = ({ reason }: { reason: Promise<string> }) => use(reason)

/** What the service answers when a script requests the photo, and not a browser's tab. Rejects when no answer comes. */
async function reasonAt(address: string): Promise<string> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(address, { headers, redirect: 'manual' })
  // A photo in another store is reached by a redirect, which a script may not follow.
  if (answer.ok || answer.type === 'opaqueredirect') return texts.available
  return (await readAnswer(answer)).message
}
