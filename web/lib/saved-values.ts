// biome-ignore-all lint/performance/noBarrelFile: the album page still names this file.
export { readOrganiser, readOwnAlbums } from './own-albums.ts'
export type { Organiser } from './persisted.ts'
