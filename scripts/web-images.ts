/** Draws the icons, and the picture for shared links, from our SVG files when the web app is built. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const PAPER = '#fbf9f6'

/** Writes all images into a build. Those that pages and the manifest name are in assets/ with a hash in their names;
 *  those that browsers request by a fixed name are beside index.html.
 *  @param folder the folder of the build.
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
  // Browsers look at its bytes, not at its name.
  await writeFile(join(folder, 'favicon.ico'), await toPng(logo, 48))
  return writeHashed(folder, 'social', await drawSocialPicture(logo, join(web, 'ui/pictures/found.svg')))
}

/** The picture for shared links, 1200 × 630 pixels. It has no text, because the link's title is shown beside it, and
 *  because a server may have no fonts. */
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

/** The logo for systems that cut icons to their own shape and keep a circle of 80% of the width (W3C, Web App
 *  Manifest, "Icon masks"): its background reaches the edge, and its drawing is smaller. */
function toTheEdge(logo: string): string {
  return logo
    .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
    .replace('<rect width="32" height="32" rx="8"', '<rect x="-4" y="-4" width="40" height="40"')
}

function toPng(svg: string, size: number): Promise<Buffer> {
  // At 72 dpi one SVG pixel is one pixel. This density draws the SVG at its final size instead of enlarging it.
  const [, width = ''] = /viewBox="\S+ \S+ (\S+) /.exec(svg)!
  return sharp(Buffer.from(svg), { density: (72 * size) / Number(width) })
    .resize(size, size)
    .png()
    .toBuffer()
}

/** Writes a picture with a hash in its name. @returns the path that it is served at. */
async function writeHashed(folder: string, name: string, png: Buffer): Promise<string> {
  const hash = createHash('sha256').update(png).digest('base64url').slice(0, 8)
  const path = `/assets/${name}-${hash}.png`
  await writeFile(join(folder, path), png)
  return path
}
