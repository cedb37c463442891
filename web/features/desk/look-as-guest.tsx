import { Link } from '@tanstack/react-router'
import { lookAsGuest as texts } from '../../../src/texts/english/desk.ts'
import { buttonLook } from '../../ui/button-look.ts'

/** Opens the album in a new tab as guests see it, while this browser stays the owner's. */
export function LookAsGuest({ albumName }: { albumName: string }) {
  return (
    <Link
      to="/album/$albumName"
      params={{ albumName }}
      search={{ as: 'guest' }}
      target="_blank"
      rel="noopener"
      className={`${buttonLook('secondary')} max-sm:w-full`}
    >
      {texts.look}
    </Link>
  )
}
