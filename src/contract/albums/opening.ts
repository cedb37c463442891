import type { AlbumSettings } from './album-settings.ts'

/** When guests may come into an album. The owner always may. */
export type Opening = Pick<AlbumSettings, 'opensAt' | 'closesAt'>

/** Whether guests may come in. */
export function isOpen({ opensAt, closesAt }: Opening, now = new Date()): boolean {
  return (opensAt === null || new Date(opensAt) <= now) && (closesAt === null || now < new Date(closesAt))
}
