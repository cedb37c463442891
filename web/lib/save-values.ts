// biome-ignore-all lint/performance/noBarrelFile: the album page still names this file.
export { forgetAlbum, keepAlbum } from '../features/own-albums/kept-albums.ts'
