/** The icons and the picture for shared links, drawn from our own SVG while the web app is built. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const PAPER = '#fbf9f6'

/** Writes all of them into a build: what pages and the manifest name, under assets/ with a hash; what clients ask
 *  for by a fixed name, beside index.html.
 *  @param web the folder of the web app's sources.
 *  @returns the path of the picture for shared links. */
export async function writeImages(folder: string, web: string): Promise<string> {
  const logo = await readFile(join(web, 'favicon.svg'), 'utf8')
  const icons = [
    { size: 192, purpose: 'any', svg: logo },
    { size: 512, purpose: 'any', svg: logo },
    { size: 512, purpose: 'maskable', svg: toTheEdge(logo) },
  ]
  const manifest = {
    name: 'Inframe',
    short_name: 'Inframe',
    description: 'Event photos that find their people.',
    id: '/',
    start_url: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: await Promise.all(
      icons.map(async ({ size, purpose, svg }) => ({
        src: await writeHashed(folder, `icon-${purpose}-${size}`, await toPng(svg, size)),
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    ),
  }
  await writeFile(join(folder, 'manifest.webmanifest'), JSON.stringify(manifest))
  await writeFile(join(folder, 'apple-touch-icon.png'), await toPng(toTheEdge(logo), 180))
  await writeFile(join(folder, 'favicon.ico'), toIco(await toPng(logo, 48), 48))
  return writeHashed(folder, 'social', await drawSocialPicture(logo, join(web, 'ui/pictures/found.svg')))
}

/** 1200 × 630 pixels, without words: they stand beside it, and a bare machine has no font to draw them with. */
async function drawSocialPicture(logo: string, foundFile: string): Promise<Buffer> {
  const found = await sharp(foundFile, { density: 72 }).resize({ height: 550 }).png().toBuffer()
  const { width = 0 } = await sharp(found).metadata()
  const mark = await toPng(logo, 220)
  return sharp({ create: { width: 1200, height: 630, channels: 3, background: PAPER } })
    .composite([
      { input: mark, left: Math.round((1200 - 40 - width - 220) / 2), top: 205 },
      { input: found, left: 1200 - 40 - width, top: 40 },
    ])
    .png({ palette: true })
    .toBuffer()
}

/** A system that cuts icons to its own shape keeps a circle of 80% of the width (W3C, Web App Manifest, "Icon
 *  masks"): the ground goes to the edge, the drawing shrinks. */
function toTheEdge(logo: string): string {
  return logo
    .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
    .replace('<rect width="32" height="32" rx="8"', '<rect x="-4" y="-4" width="40" height="40"')
}

function toPng(svg: string, size: number): Promise<Buffer> {
  // An SVG pixel at 72 dpi is one pixel: drawn at its final size, not enlarged.
  const [, width = ''] = /viewBox="\S+ \S+ (\S+) /.exec(svg)!
  return sharp(Buffer.from(svg), { density: (72 * size) / Number(width) })
    .resize(size, size)
    .png()
    .toBuffer()
}

/** An .ico of one picture may hold it as a PNG: a directory of one entry (6 + 16 bytes), then the file. */
function toIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** @returns the path it is served at. */
async function writeHashed(folder: string, name: string, png: Buffer): Promise<string> {
  const hash = createHash('sha256').update(png).digest('base64url').slice(0, 8)
  const path = `/assets/${name}-${hash}.png`
  await writeFile(join(folder, path), png)
  return path
}
