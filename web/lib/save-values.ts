// biome-ignore-all lint/performance/noBarrelFile: the album page still names this file.
export { forgetAlbum, keepAlbum } from './own-albums.ts'
