/** Settings of this installation that only organisers' pages need. */
import { setting } from './site-settings.ts'

/** Who may create albums here: anyone, anyone with an invitation code, or nobody. */
export function albumCreation(): 'open' | 'invited' | 'closed' {
  const given = setting('album-creation')
  return given === 'invited' || given === 'closed' ? given : 'open'
}

/** How much an album can hold here. Null in a page without settings. */
export function albumHolds(): { photos: number; gigabytes: number } | null {
  const [photos, gigabytes] = setting('album-holds')?.split(' ').map(Number) ?? []
  return photos && gigabytes ? { photos, gigabytes } : null
}
