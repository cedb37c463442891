import { Link } from '@tanstack/react-router'
import { libraryLink as texts } from '../../../src/texts/english/submissions.ts'
import { setting } from '../../lib/site-settings.ts'

const LOOK = 'font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink'

/** Leads to the external public photo library. Where none is set, it leads to the albums of this service. */
export function LibraryLink() {
  const url = setting('photo-library')
  return url ? (
    <a href={url} target="_blank" rel="noopener" className={LOOK}>
      {texts.library}
    </a>
  ) : (
    <Link to="/albums" className={LOOK}>
      {texts.albums}
    </Link>
  )
}
