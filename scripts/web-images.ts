/** Draws the icons, and the picture for shared links, from our SVG files when the web app is built. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const PAPER = '#fbf9f6'

/** Writes all images, and the manifest that names the icons, beside index.html.
 *  @param folder the folder of the build.
 *  @param web the folder of the web app's sources. */
export async function writeImages(folder: string, web: string): Promise<void> {
  const logo = await readFile(join(web, 'favicon.svg'), 'utf8')
  const icons = [192, 512].map((size) => ({ file: `icon-${size}.png`, size, purpose: 'any', svg: logo }))
  icons.push({ file: 'icon-maskable.png', size: 512, purpose: 'maskable', svg: toTheEdge(logo) })
  const manifest = {
    name: 'Inframe',
    short_name: 'Inframe',
    description: 'Event photos that find their people.',
    id: '/',
    start_url: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: icons.map(({ file, size, purpose }) => ({
      src: `/${file}`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  }
  for (const { file, size, svg } of icons) await writeFile(join(folder, file), await toPng(svg, size))
  await writeFile(join(folder, 'manifest.webmanifest'), JSON.stringify(manifest))
  await writeFile(join(folder, 'apple-touch-icon.png'), await toPng(toTheEdge(logo), 180))
  // Browsers look at the content, not at the name.
  await writeFile(join(folder, 'favicon.ico'), await toPng(logo, 48))
  const social = await drawSocialPicture(logo, join(web, 'ui/pictures/found.svg'))
  await writeFile(join(folder, 'social.png'), social)
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
